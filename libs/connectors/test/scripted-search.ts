/** One generation searched over sources whose answers a spec writes, at a clock that only waiting moves. */
import { sourcesOf, type EndedSource, type PageFacts, type Register, type SourceRow, type StartedFacts } from '@lacuna/evidence';
import { afterNoon, aSearchedIdentifier, aRegister, sha256Of } from '@lacuna/testing';
import {
  readSources,
  type AttemptPage,
  type DocumentSource,
  type HashedRegister,
  type PageResponse,
  type ReadFailure,
  type ReadOutcome,
  type SourceReader,
} from '../kit/index.js';

export const ASKED_REFERENCE = 'SR-1';
/** When every search begins. */
const BEGAN_AT = afterNoon(10_000);

export const aRow = (changes: Partial<SourceRow> = {}): SourceRow => ({
  recordId: 'other',
  version: '1',
  values: { account: 'acme', reference: 'SR-9' },
  status: 'open',
  followedTo: null,
  ...changes,
});

export const aMatch = (changes: Partial<SourceRow> = {}): SourceRow =>
  aRow({ recordId: 'found', values: { account: 'acme', reference: ASKED_REFERENCE }, ...changes });

type PageScript = Omit<Partial<PageResponse>, 'observed'> & { observed?: Partial<PageResponse['observed']>; cursor?: string };

/** A page; with a `cursor` it goes on, without it is the last. */
export function aPage(rows: readonly SourceRow[] = [], { cursor, observed, ...changes }: PageScript = {}): PageResponse {
  const end = cursor === undefined ? 'signalled' : 'continues';
  return {
    type: 'page',
    rows,
    observed: { bytes: 2, end, total: null, snapshot: null, reasons: [], ...observed },
    next: cursor === undefined ? null : { cursor, fingerprint: sha256Of(cursor) },
    requestFingerprint: sha256Of('request'),
    cursorFingerprint: null,
    bodySha256: sha256Of(JSON.stringify(rows)),
    startedAt: BEGAN_AT,
    endedAt: BEGAN_AT,
    status: 200,
    remarks: null,
    ...changes,
  };
}

export const aFailure = (reason: ReadFailure['reason'], changes: Partial<ReadFailure> = {}): ReadFailure => ({
  type: 'failure',
  reason,
  status: 503,
  retryAfterMs: null,
  detail: 'scripted',
  ...changes,
});

export type Answer = ReadOutcome | Error | (() => Promise<ReadOutcome>);
/** Per source, per attempt, its answers in order. */
export type Script = Readonly<Record<string, readonly (readonly Answer[])[]>>;

export interface ScriptedOptions {
  readonly register?: Register;
  readonly started?: Partial<StartedFacts>;
  readonly script: Script;
  /** Before the page is kept. */
  readonly publishPage?: (page: AttemptPage) => Promise<void>;
  readonly leftMs?: number;
  readonly signal?: AbortSignal;
}

export interface Searched {
  readonly ended: readonly EndedSource[];
  readonly pages: readonly PageFacts[];
  /** In order: `read ledger`, `publish ledger 0`, `sleep 200`. */
  readonly steps: readonly string[];
  readonly faults: readonly unknown[];
}

export async function search(options: ScriptedOptions): Promise<Searched> {
  const { script, publishPage, leftMs = 900_000, signal = new AbortController().signal } = options;
  const register = (options.register ?? aRegister()) as HashedRegister;
  let nowMs = Date.parse(BEGAN_AT);
  const startedMs = nowMs;
  const [pages, steps, faults]: [PageFacts[], string[], unknown[]] = [[], [], []];
  const attempts = new Map<string, number>();
  const identifiers = [
    aSearchedIdentifier({ name: 'account', value: 'acme' }),
    aSearchedIdentifier({ name: 'reference', value: ASKED_REFERENCE }),
  ];
  const started = aStarted(register, { identifiers, ...options.started });
  const ended = await readSources({
    register,
    started,
    attemptId: (source, count) => `${source}.${count}`,
    newReader: (source) => scriptedReader(source, script, attempts, steps),
    recordPage: async (page, { attemptId, previousHash }) => {
      steps.push(`publish ${page.source} ${page.sequence}`);
      await publishPage?.(page);
      const hash = sha256Of(`${attemptId} ${page.sequence}`);
      pages.push({ ...page, attemptId, previousHash, hash });
      return hash;
    },
    clock: { now: () => new Date(nowMs), monotonicMs: () => nowMs },
    sleep: async (delayMs) => {
      steps.push(`sleep ${delayMs}`);
      nowMs += delayMs;
    },
    random: () => 1,
    signal,
    leftMs: () => leftMs - (nowMs - startedMs),
    told: (error) => faults.push(error),
  });
  return { ended, pages, steps, faults };
}

const aStarted = (register: Register, changes: Partial<StartedFacts>): StartedFacts => ({
  questionId: 'question-1',
  generation: 1,
  registerHash: register.hash,
  kind: 'exists',
  identifiers: [],
  needsAsOf: afterNoon(0),
  budget: { pagesMax: 100, recordsMax: 10_000, bytesMax: 10_000_000, elapsedMsMax: 60_000 },
  sources: sourcesOf(register).map(({ name }) => name),
  exclusions: [],
  knownGaps: [],
  controls: [],
  attestations: [],
  ...changes,
});

function scriptedReader(source: DocumentSource, script: Script, attempts: Map<string, number>, steps: string[]): SourceReader {
  const attempt = attempts.get(source.name) ?? 0;
  attempts.set(source.name, attempt + 1);
  const answers = [...(script[source.name]?.[attempt] ?? [new Error(`attempt ${attempt + 1} on ${source.name} is not in the script`)])];
  return {
    open: async () => ({ type: 'opened', method: source.method }),
    read: async () => {
      steps.push(`read ${source.name}`);
      const answer = answers.shift() ?? new Error('more was read than the script has');
      if (answer instanceof Error) throw answer;
      return typeof answer === 'function' ? answer() : answer;
    },
    close: async () => void steps.push(`close ${source.name}`),
  };
}

/** What `ended` says, in short: `ledger end-signalled 1/2` is its second attempt, with one page of its own. */
export const told = ({ ended }: Searched): string[] =>
  ended.map((source) => `${source.source} ${source.stopReason} ${source.pages}/${source.attempts}`);
