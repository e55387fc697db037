/** Reads one source: attempts until one counts, within the register's bounds. */
import {
  type AttemptInput,
  type AttemptOutcome,
  type AttemptPage,
  type DocumentSource,
  type RegisterDocument,
  runAttempt,
  type SourceReader,
} from '@lacuna/connectors';
import { type EndedSource, InvalidEventError, type PageRead, type SearchStarted } from '@lacuna/events';
import { reasonOf } from '@lacuna/evidence';
import { attemptIdOf } from './attempt-id.js';
import { guardedReader } from './guarded-reader.js';
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
  /** Resolves when the page is in the log. @throws InvalidEventError when it is not fit for the log: a reason; anything else ends the search. */
  readonly publishPage: (page: PageRead) => Promise<void>;
  readonly clock: AttemptInput['clock'];
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<void>;
  readonly random: () => number;
  /** Ends the reading as `budget-time`. */
  readonly signal: AbortSignal;
  /** A fault of ours that became a reason. */
  readonly told: (error: unknown, source: string) => void;
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
  let pagesOfAllAttempts = 0;
  for (let count = 1; ; count++) {
    const { outcome, chain } = await attempt(input, count);
    matched ||= outcome.matched;
    pagesOfAllAttempts += chain.pages;
    const delayMs = outcome.retryAfterMs ?? backoffMs(count, input.random);
    // A match decides, unless all of them are wanted.
    const settled = matched && input.started.kind !== 'enumerate';
    const again = !settled && count < attemptsMax && reasonOf(outcome.stopReason).retryHelps && spentMs() + delayMs < elapsedMsMax;
    const ended = { ...endedOf(input.source.name, outcome, chain), attempts: count, pagesOfAllAttempts };
    if (!again || input.signal.aborted) return { ended, matched };
    await input.sleep(delayMs, input.signal);
    if (input.signal.aborted) return { ended, matched };
  }
}

interface Attempted {
  readonly outcome: AttemptOutcome;
  readonly chain: PageChain;
}

async function attempt(input: ReadSourceInput, count: number): Promise<Attempted> {
  const { started, register, source, fence } = input;
  const { tenantId, questionId, generation, kind, identifiers, exclusions } = started;
  const attemptId = attemptIdOf({ questionId, generation, source: source.name, fence, count });
  const publication = new Publication(new PageChain({ tenantId, questionId, generation, attemptId }), input.publishPage);
  const reader = guardedReader(input.newReader, (error) => input.told(error, source.name));
  const asked = { register, source, kind, identifiers, exclusions, reader, limits: started.budget };
  try {
    const outcome = await runAttempt({ ...asked, clock: input.clock, onPage: (page) => publication.publish(page), signal: input.signal });
    return { outcome, chain: publication.chain };
  } catch (error) {
    if (publication.refused !== null) throw publication.refused.error;
    input.told(error, source.name);
    return { outcome: brokenOff(error, publication, input.clock.now()), chain: publication.chain };
  }
}

/** Publishes the pages of one attempt, and knows an error of the log from any other. */
class Publication {
  refused: { readonly error: unknown } | null = null;
  startedAt: string | null = null;

  constructor(
    readonly chain: PageChain,
    private readonly publishPage: ReadSourceInput['publishPage'],
  ) {}

  async publish(page: AttemptPage): Promise<void> {
    const linked = this.chain.link(page);
    try {
      await this.publishPage(linked);
    } catch (error) {
      if (!(error instanceof InvalidEventError)) this.refused = { error };
      throw error;
    }
    this.startedAt ??= linked.startedAt;
    this.chain.add(linked);
  }
}

/** The attempt ended by a fault of ours: an answer that no event can carry, or something that is not known here. Both hold. */
function brokenOff(error: unknown, { chain, startedAt }: Publication, now: Date): AttemptOutcome {
  const stopReason = error instanceof InvalidEventError ? 'response-invalid' : 'unlisted-reason';
  const nothing = { doubts: [], records: 0, bytes: 0, matched: false, retryAfterMs: null, detail: null };
  return { ...nothing, stopReason, pages: chain.pages, startedAt, endedAt: startedAt === null ? null : now.toISOString() };
}

function backoffMs(count: number, random: () => number): number {
  const ceilingMs = Math.min(RETRY_DELAY_MS * 2 ** (count - 1), RETRY_DELAY_MS_MAX);
  return Math.round(ceilingMs * (0.5 + random() / 2));
}

function endedOf(source: string, outcome: AttemptOutcome, chain: PageChain): Omit<EndedSource, 'attempts' | 'pagesOfAllAttempts'> {
  return {
    source,
    attemptId: chain.attemptId,
    pages: chain.pages,
    lastHash: chain.lastHash,
    stopReason: outcome.stopReason,
    doubts: [...outcome.doubts],
    startedAt: outcome.startedAt,
    endedAt: outcome.endedAt,
  };
}
