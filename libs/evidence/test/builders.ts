/** Builders with valid defaults: one deciding source read to its end, nothing found, nothing in doubt. */
import { createHash } from 'node:crypto';
import { decide } from '../src/decide.js';
import type { Decision, Evidence } from '../src/decision.js';
import type { AskedIdentifier, EndedFacts, EndedSource, PageFacts, PageRow, StartedFacts } from '../src/facts.js';
import { foldGeneration, GENESIS_HASH, type SearchEvent } from '../src/fold.js';
import { formatInstant, parseInstant } from '../src/instant.js';
import type { PageObservation } from '../src/observation.js';
import { sourcesOf } from '../src/own-writes.js';
import type { Register, SourceRule } from '../src/register.js';

export const ASKED_AT = '2026-01-31T12:00:00.000Z';
export const DECIDED_AT = '2026-01-31T12:01:00.000Z';
export const LONG_AFTER = '2027-01-01T00:00:00.000Z';
export const REGISTER_HASH = 'a'.repeat(64);

export const at = (afterMs: number): string => formatInstant((parseInstant(ASKED_AT) ?? 0) + afterMs);
export const sha = (text: string): string => createHash('sha256').update(text).digest('hex');

export const aSource = (over: Partial<SourceRule> = {}): SourceRule => ({
  name: 'crm',
  role: 'deciding',
  method: 'enumeration',
  authority: 'original',
  lagMaxMs: 0,
  recentExcludedMs: 0,
  drift: 'keyset',
  predicate: 'same',
  visibility: 'all-or-nothing',
  hazards: [],
  contractDoubts: [],
  attestation: { by: 'ops', until: LONG_AFTER },
  optionalFields: [],
  ...over,
});

export const aRegister = (over: Partial<Register> = {}): Register => ({
  name: 'service-requests',
  version: '3',
  hash: REGISTER_HASH,
  identifiers: {
    account: { kind: 'scope', normalise: ['trim'] },
    reference: { kind: 'key', normalise: ['nfkc', 'trim', 'case-fold'], near: ['nfkc', 'case-fold', 'strip-separators'] },
  },
  sources: [aSource()],
  status: { reusable: ['void'], follow: ['merged'] },
  moves: { kind: 'none' },
  toleranceMs: 1_000,
  clockSkewMaxMs: 1_000,
  freshnessMs: 60_000,
  acceptedDoubts: [],
  owner: { name: 'intake team', contact: 'intake@example.test' },
  policy: 'manual',
  target: null,
  budget: { pagesMax: 50, recordsMax: 5_000, bytesMax: 5_000_000, elapsedMsMax: 30_000 },
  attempts: { attemptsMax: 3, elapsedMsMax: 60_000 },
  holds: { autoReruns: 2, autoRerunDelayMs: 60_000 },
  ...over,
});

export const aTarget: NonNullable<Register['target']> = { name: 'requests', kind: 'own-table', policyId: 'v1' };

export const anAsked = (name: string, value: string, over: Partial<AskedIdentifier> = {}): AskedIdentifier => ({
  name,
  value,
  provenance: 'person',
  lookup: null,
  ...over,
});

export const aStarted = (register: Register, over: Partial<StartedFacts> = {}): StartedFacts => ({
  questionId: 'q1',
  generation: 1,
  registerHash: register.hash,
  kind: 'exists',
  identifiers: [anAsked('account', 'acme'), anAsked('reference', 'R-1')],
  needsAsOf: at(-1_000),
  budget: register.budget,
  sources: sourcesOf(register).map((source) => source.name),
  exclusions: [],
  knownGaps: [],
  controls: [],
  attestations: [],
  ...over,
});

export const aRow = (over: Partial<PageRow> = {}): PageRow => ({
  recordId: 'rec-1',
  version: '1',
  digest: sha('rec-1'),
  results: { account: 'agree', reference: 'agree' },
  status: 'open',
  followedTo: null,
  ...over,
});

/** Agrees in nothing that decides, and differs in nothing: a person has to look. */
export const anAmbiguousRow = (over: Partial<PageRow> = {}): PageRow => aRow({ results: { account: 'agree', reference: 'near' }, ...over });

export const hashOf = (page: PageFacts): string =>
  sha(JSON.stringify(Object.entries({ ...page, hash: '' }).sort(([one], [two]) => (one < two ? -1 : 1))));

export interface AttemptPlan {
  readonly id?: string;
  /** What each page differs in from an empty page that goes on; the last one ends by signal. */
  readonly pages: readonly Partial<PageFacts>[];
  /** False: the last page goes on too, as before a failure. */
  readonly ends?: boolean;
  readonly startsAtMs?: number;
}

export interface SourcePlan {
  readonly source: string;
  /** In order; the last one is named by `search.ended`. */
  readonly attempts: readonly AttemptPlan[];
  readonly ended?: Partial<EndedSource>;
}

export const cleanRead = (source: string, pages: readonly Partial<PageFacts>[] = [{}, {}]): SourcePlan => ({
  source,
  attempts: [{ pages }],
});

const attemptPages = (source: string, id: string, plan: AttemptPlan): readonly PageFacts[] => {
  const pages: PageFacts[] = [];
  plan.pages.forEach((over, sequence) => {
    const last = plan.ends !== false && sequence === plan.pages.length - 1;
    const start = (plan.startsAtMs ?? 100) + sequence * 10;
    const page: PageFacts = {
      source,
      attemptId: id,
      sequence,
      pass: 1,
      previousHash: pages.at(-1)?.hash ?? GENESIS_HASH,
      hash: '',
      startedAt: at(start),
      endedAt: at(start + 5),
      records: 10,
      bytes: 1_000,
      rowsWithoutKey: 0,
      end: last ? 'signalled' : 'continues',
      stop: last ? 'end-signalled' : null,
      doubts: [],
      idsDigest: sha(`${id} ${sequence}`),
      rows: [],
      ...over,
    };
    pages.push({ ...page, hash: hashOf(page) });
  });
  return pages;
};

const endedSource = (plan: SourcePlan, attempts: readonly (readonly PageFacts[])[], ids: readonly string[]): EndedSource => {
  const pages = attempts.at(-1) ?? [];
  return {
    source: plan.source,
    attemptId: ids.at(-1) ?? null,
    pages: pages.length,
    lastHash: pages.at(-1)?.hash ?? null,
    stopReason: 'end-signalled',
    doubts: [],
    startedAt: pages[0]?.startedAt ?? null,
    endedAt: pages.at(-1)?.endedAt ?? null,
    attempts: attempts.length,
    pagesOfAllAttempts: attempts.flat().length,
    ...plan.ended,
  };
};

/** The events of one generation in log order, with right hashes. */
export const aGeneration = (
  register: Register,
  plans: readonly SourcePlan[],
  started: Partial<StartedFacts> = {},
): readonly SearchEvent[] => {
  const read = plans.map((plan) => {
    const ids = plan.attempts.map((attempt, index) => attempt.id ?? `q1.1.${plan.source}.1.${index}`);
    const attempts = plan.attempts.map((attempt, index) => attemptPages(plan.source, ids[index] ?? '', attempt));
    return { pages: attempts.flat(), ended: endedSource(plan, attempts, ids) };
  });
  const ended: EndedFacts = { sources: read.map((source) => source.ended) };
  return [
    { type: 'search.started', data: aStarted(register, started) },
    ...read.flatMap(({ pages }) => pages.map((data) => ({ type: 'page.read', data }) as const)),
    { type: 'search.ended', data: ended },
  ];
};

export const evidenceOf = (events: readonly SearchEvent[]): Evidence => foldGeneration(events, hashOf);

export const decideOn = (register: Register, plans: readonly SourcePlan[], started: Partial<StartedFacts> = {}): Decision =>
  decide(evidenceOf(aGeneration(register, plans, started)), register, DECIDED_AT);

export const codesOf = (decision: Decision): readonly string[] =>
  decision.reasons.map(({ code, source }) => (source === null ? code : `${source}:${code}`));

export const aPageSeen = (over: Partial<PageObservation> = {}): PageObservation => ({
  type: 'page',
  records: 10,
  bytes: 1_000,
  elapsedMs: 10,
  end: 'continues',
  nextCursor: 'c1',
  idsDigest: 'd0',
  repeatedIds: 0,
  total: null,
  snapshot: null,
  matched: false,
  reasons: [],
  ...over,
});
