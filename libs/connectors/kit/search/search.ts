/**
 * One question against one register, read from its sources here and now: `decide(evidence, register, decidedAt)` of @lacuna/evidence then
 * gives the decision. Nothing is kept and nothing is published; the service that keeps and publishes calls `readSources` with its own hooks.
 */
import { setTimeout as delay } from 'node:timers/promises';
import {
  checkIdentifiers,
  foldGeneration,
  OWN_WRITES,
  sourcesOf,
  type IdentifierProblem,
  type AskedIdentifier,
  type PageFacts,
  type SearchEvent,
  type StartedFacts,
} from '@lacuna/evidence';
import type { AttemptPage } from '../attempt/attempt.js';
import type { Clock } from '../inputs.js';
import { readerFor } from '../reader-for.js';
import type { DocumentSource } from '../register/register-document.js';
import { sha256Hex } from '../sha256.js';
import type { SourceReader } from '../source-reader.js';
import type { AttemptPlace } from './attempt-record.js';
import { checkControls, type ControlsInput } from './check-controls.js';
import { canonicalText } from './hashed-register.js';
import { readSources } from './read-sources.js';
import type { SearchInput, SearchResult } from './search-input.js';

const DEADLINE_MS = 900_000;
/** Bounds each statement of a table source. */
const STATEMENT_MS_MAX = 30_000;

/** The question does not fit the register: nothing was read. */
export class QuestionRefusedError extends Error {
  override readonly name = 'QuestionRefusedError';

  constructor(readonly problems: readonly IdentifierProblem[]) {
    super(problems.map(({ name, reason }) => `${name}: ${reason}`).join('; '));
  }
}

export const search = async (input: SearchInput): Promise<SearchResult> => {
  const { register, question, clock = { now: () => new Date() } } = input;
  const problems = checkIdentifiers(register, question.identifiers);
  if (problems.length > 0) throw new QuestionRefusedError(problems);
  const newReader = input.newReader ?? ((source, identifiers) => ownReader(input, source, identifiers, clock));
  const means = {
    clock,
    sleep: input.sleep ?? ((delayMs: number, signal: AbortSignal) => delay(delayMs, undefined, { signal }).catch(() => undefined)),
    random: input.random ?? Math.random,
    ...deadlineOf(input, clock),
    told: input.told ?? (() => undefined),
  };
  const controls =
    input.controls ?? (await checkedControls({ register, newReader, ...means, ...(input.budget && { budget: input.budget }) }));
  const started = startedFacts(input, controls, clock);
  const pages: PageFacts[] = [];
  const ended = await readSources({
    ...means,
    register,
    started,
    attemptId: (source, count) => `${source}.${count}`,
    newReader: (source) => newReader(source, question.identifiers),
    recordPage: async (page, place) => {
      const facts = pageFacts(page, place);
      pages.push(facts);
      await input.onPage?.(page, place);
      return facts.hash;
    },
  });
  return { started, ended, pages, evidence: evidenceOf(started, pages, ended) };
};

/** A check that came to nothing shows nothing: as one that is out of date. */
const checkedControls = async (input: ControlsInput): Promise<StartedFacts['controls']> =>
  (await checkControls(input)).map(({ source, result, checkedAt }) => ({
    source,
    result: result === 'unknown' ? 'stale' : result,
    checkedAt,
  }));

const startedFacts = (input: SearchInput, controls: StartedFacts['controls'], clock: Clock): StartedFacts => {
  const { register, question } = input;
  const { kind = 'exists', needsAsOf = new Date(clock.now().getTime() - register.toleranceMs).toISOString() } = question;
  return {
    questionId: 'question',
    generation: 1,
    registerHash: register.hash,
    kind,
    identifiers: question.identifiers.map((asked) => ({ provenance: 'system', ...asked, lookup: null })),
    needsAsOf,
    budget: input.budget ?? register.budget,
    sources: sourcesOf(register).map(({ name }) => name),
    exclusions: input.exclusions ?? [],
    knownGaps: input.knownGaps ?? [],
    controls,
    attestations: [],
  };
};

const ownReader = (
  { register, reach, budget, sleep }: SearchInput,
  source: DocumentSource,
  identifiers: readonly Pick<AskedIdentifier, 'name' | 'value'>[],
  clock: Clock,
): SourceReader => {
  if (source.name === OWN_WRITES) throw new Error('the slots of a write target are read by the service that keeps them');
  if (!reach) throw new Error('neither reach nor newReader was given');
  const elapsedMsMax = Math.min((budget ?? register.budget).elapsedMsMax, STATEMENT_MS_MAX);
  return readerFor(source, { register, identifiers, clock, elapsedMsMax, ...reach, ...(sleep && { sleep }) });
};

const deadlineOf = (
  { deadlineMs = DEADLINE_MS, signal = new AbortController().signal }: SearchInput,
  clock: Clock,
): { readonly leftMs: () => number; readonly signal: AbortSignal } => {
  const beganMs = clock.now().getTime();
  return {
    leftMs: () => beganMs + deadlineMs - clock.now().getTime(),
    signal: AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]),
  };
};

const pageFacts = (page: AttemptPage, { attemptId, previousHash }: AttemptPlace): PageFacts => {
  const facts = { ...page, attemptId, previousHash };
  return { ...facts, hash: sha256Hex(canonicalText(facts)) };
};

const hashOf = ({ hash: _hash, ...facts }: PageFacts): string => sha256Hex(canonicalText(facts));

const evidenceOf = (started: StartedFacts, pages: readonly PageFacts[], sources: SearchResult['ended']): SearchResult['evidence'] => {
  const read = pages.map((data): SearchEvent => ({ type: 'page.read', data }));
  return foldGeneration([{ type: 'search.started', data: started }, ...read, { type: 'search.ended', data: { sources } }], hashOf);
};
