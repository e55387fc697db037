/** Reads one source: attempts until one counts, within the register's bounds. */
import { type AttemptInput, type AttemptOutcome, type DocumentSource, type RegisterDocument, runAttempt, type SourceReader } from '@lacuna/connectors';
import type { EndedSource, PageRead, SearchStarted } from '@lacuna/events';
import { reasonOf } from '@lacuna/evidence';
import { PageChain } from './page-chain.js';

/** Between attempts, when the source does not say how long: grows from this, at most to the other, with jitter. */
const RETRY_DELAY_MS = 200;
const RETRY_DELAY_MS_MAX = 10_000;

export interface ReadSourceInput {
  readonly started: SearchStarted;
  readonly register: RegisterDocument;
  readonly source: DocumentSource;
  /** Names attempts: fencing number of the lease. */
  readonly fence: bigint;
  /** A reader serves one attempt. */
  readonly newReader: () => SourceReader;
  readonly publishPage: (page: PageRead) => Promise<void>;
  readonly clock: AttemptInput['clock'];
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<void>;
  readonly random: () => number;
  /** Ends the reading as `budget-time`. */
  readonly signal: AbortSignal;
}

export interface SourceReading {
  readonly ended: EndedSource;
  /** A row matches and is not excluded. */
  readonly matched: boolean;
}

/** The reading that counts: the last attempt. Everything that any attempt saw is published. */
export async function readSource(input: ReadSourceInput): Promise<SourceReading> {
  const { attemptsMax, elapsedMsMax } = input.register.attempts;
  const beganMs = input.clock.now().getTime();
  const spentMs = () => input.clock.now().getTime() - beganMs;
  let matched = false;
  for (let count = 1; ; count++) {
    const { outcome, chain } = await attempt(input, count);
    matched ||= outcome.matched;
    const delayMs = outcome.retryAfterMs ?? backoffMs(count, input.random);
    const again = !matched && count < attemptsMax && reasonOf(outcome.stopReason).retryHelps && spentMs() + delayMs < elapsedMsMax;
    if (!again || input.signal.aborted) return { ended: endedOf(input.source.name, outcome, chain, count), matched };
    await input.sleep(delayMs, input.signal);
  }
}

async function attempt(input: ReadSourceInput, count: number): Promise<{ outcome: AttemptOutcome; chain: PageChain }> {
  const { started, register, source } = input;
  const chain = new PageChain({
    tenantId: started.tenantId,
    questionId: started.questionId,
    generation: started.generation,
    attemptId: `${started.questionId}.${started.generation}.${source.name}.${input.fence}.${count}`,
  });
  const outcome = await runAttempt({
    register,
    source,
    kind: started.kind,
    identifiers: started.identifiers,
    exclusions: started.exclusions,
    reader: input.newReader(),
    limits: started.budget,
    clock: input.clock,
    onPage: (page) => input.publishPage(chain.link(page)),
    signal: input.signal,
  });
  return { outcome, chain };
}

function backoffMs(count: number, random: () => number): number {
  const ceilingMs = Math.min(RETRY_DELAY_MS * 2 ** (count - 1), RETRY_DELAY_MS_MAX);
  return Math.round(ceilingMs * (0.5 + random() / 2));
}

function endedOf(source: string, outcome: AttemptOutcome, chain: PageChain, attempts: number): EndedSource {
  return {
    source,
    attemptId: chain.attemptId,
    pages: outcome.pages,
    lastHash: chain.lastHash,
    stopReason: outcome.stopReason,
    doubts: [...outcome.doubts],
    startedAt: outcome.startedAt,
    endedAt: outcome.endedAt,
    attempts,
  };
}
