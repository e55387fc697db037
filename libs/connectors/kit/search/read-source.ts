/** Reads one source: attempts until one counts, within the register's bounds. */
import { reasonOf, type EndedSource, type StartedFacts } from '@lacuna/evidence';
import type { AttemptOutcome } from '../attempt/attempt.js';
import { runAttempt } from '../attempt/run-attempt.js';
import { backoffMs } from '../backoff.js';
import type { Clock } from '../inputs.js';
import type { DocumentSource, RegisterDocument } from '../register/register-document.js';
import type { SourceReader } from '../source-reader.js';
import { AttemptRecord, UnfitPageError, type RecordPage } from './attempt-record.js';
import { guardedReader } from './guarded-reader.js';

/** Between attempts, when the source does not say how long: grows from this, at most to the other, with jitter. */
const RETRY = { delayMs: 200, delayMsMax: 10_000 };

export interface ReadSourceInput {
  readonly started: StartedFacts;
  readonly register: RegisterDocument;
  readonly source: DocumentSource;
  /** Names the attempt of that number on that source, from 1: no two of one generation have one name, whoever makes them. */
  readonly attemptId: (source: string, count: number) => string;
  /** A reader serves one attempt. */
  readonly newReader: () => SourceReader;
  readonly recordPage: RecordPage;
  readonly clock: Clock;
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<void>;
  /** From 0 to 1, for jitter. */
  readonly random: () => number;
  /** Ends the reading as `budget-time`. */
  readonly signal: AbortSignal;
  /** A fault of ours that became a reason. */
  readonly told: (error: unknown, source: string) => void;
}

/** As `search.ended` says it; the runner always knows how many pages there were. */
export type SearchedSource = EndedSource & { readonly pagesOfAllAttempts: number };

export interface SourceReading {
  readonly ended: SearchedSource;
  /** A row matches and is not excluded. */
  readonly matched: boolean;
}

/** The reading that counts: the last attempt. Everything that any attempt saw is recorded. */
export const readSource = async (input: ReadSourceInput): Promise<SourceReading> => {
  const { attemptsMax, elapsedMsMax } = input.register.attempts;
  const beganMs = input.clock.now().getTime();
  const spentMs = (): number => input.clock.now().getTime() - beganMs;
  let matched = false;
  let pagesOfAllAttempts = 0;
  for (let count = 1; ; count++) {
    const { outcome, record } = await attempt(input, count);
    matched ||= outcome.matched;
    pagesOfAllAttempts += record.pages;
    const delayMs = outcome.retryAfterMs ?? Math.round(backoffMs(count - 1, RETRY, input.random));
    // A match decides, unless all of them are wanted.
    const settled = matched && input.started.kind !== 'enumerate';
    const again = !settled && count < attemptsMax && reasonOf(outcome.stopReason).retryHelps && spentMs() + delayMs < elapsedMsMax;
    const ended = { ...endedOf(input.source.name, outcome, record), attempts: count, pagesOfAllAttempts };
    if (!again || input.signal.aborted) return { ended, matched };
    await input.sleep(delayMs, input.signal);
    if (input.signal.aborted) return { ended, matched };
  }
};

interface Attempted {
  readonly outcome: AttemptOutcome;
  readonly record: AttemptRecord;
}

const attempt = async (input: ReadSourceInput, count: number): Promise<Attempted> => {
  const { started, register, source, clock, signal } = input;
  const { kind, identifiers, exclusions } = started;
  const record = new AttemptRecord({ source: source.name, attemptId: input.attemptId(source.name, count) }, input.recordPage);
  const reader = guardedReader(input.newReader, (error) => input.told(error, source.name));
  const asked = { register, source, kind, identifiers, exclusions, reader, limits: started.budget };
  try {
    const outcome = await runAttempt({ ...asked, clock, onPage: (page) => record.add(page), signal });
    return { outcome, record };
  } catch (error) {
    if (record.failed !== null) throw record.failed.error;
    input.told(error, source.name);
    return { outcome: brokenOff(error, record, clock.now()), record };
  }
};

/** The attempt ended by a fault of ours: an answer that cannot be recorded, or something that is not known here. Both hold. */
const brokenOff = (error: unknown, { pages, startedAt }: AttemptRecord, now: Date): AttemptOutcome => {
  const stopReason = error instanceof UnfitPageError ? 'response-invalid' : 'unlisted-reason';
  const nothing = { doubts: [], records: 0, bytes: 0, matched: false, retryAfterMs: null, detail: null };
  return { ...nothing, stopReason, pages, startedAt, endedAt: startedAt === null ? null : now.toISOString() };
};

const endedOf = (source: string, outcome: AttemptOutcome, record: AttemptRecord): Omit<EndedSource, 'attempts' | 'pagesOfAllAttempts'> => ({
  source,
  attemptId: record.attemptId,
  pages: record.pages,
  lastHash: record.lastHash,
  stopReason: outcome.stopReason,
  doubts: [...outcome.doubts],
  startedAt: outcome.startedAt,
  endedAt: outcome.endedAt,
});
