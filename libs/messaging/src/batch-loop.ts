/**
 * Handles the batches of a consumer group's partitions: every message changes state once, and what it gives rise to is published at
 * least once, in order, as the same bytes.
 *
 * B1 One transaction moves the position from exactly where it was, applies the batch, and keeps the outgoing events: all or nothing.
 *    A position that is not where we left it means another owner: fenced, nothing changed.
 * B2 The position enters memory last: after the batch's events are acknowledged, or after a takeover has published what it found.
 * B3 After any error the position in memory is forgotten, so the next try takes over from ourselves: reads the position and publishes
 *    the outbox row before it looks at a message.
 * B4 Messages below the position are skipped, whatever the log delivers again.
 * B5 One bad message does not fail its batch: a failing batch is handled one message at a time, and a message that keeps failing on its
 *    own goes to the dead-letter topic with its exact bytes, in the transaction that moves the position behind it.
 * B6 Committed events are never dead-lettered or dropped: until they are acknowledged the partition does not move.
 * B7 A position outside the log stops the consumer, which says what to do.
 * B8 Where the log is in our database, outgoing events are appended in B1's transaction, last, and there is no outbox.
 * B9 Where handlers keep state per key, messages behind a dead letter of their key are parked, in the transaction that moves the position,
 *    and handled in order once it was put back or given up; the partition goes on meanwhile (key-gate.ts).
 * B10 Time passes without messages too: an idle partition is ticked. Then what is parked is handled or expires, and a position that was moved
 *    is noticed, so that the adapter takes over anew.
 */
import type { Service } from '@lacuna/events';
import { stepWork, type WorkEvent, type WorkState } from './batch-loop-machine.js';
import type { Clock, DeliveryLogger } from './clock.js';
import { type CrashHook, noCrash } from './crash-points.js';
import type { Database } from './database.js';
import type { DeadLetterCause } from './dead-letter.js';
import { ConsumerStoppedError, FencedError, PublishError } from './delivery-error.js';
import type { EventLog, LogMessage, PartitionHandler, TopicPartition } from './event-log.js';
import { actionFor, failureTable, type FailureRule } from './failure-table.js';
import { type LogBounds, OwnedPartition } from './owned-partition.js';
import type { OutboxStore, ParkingStore, PositionStore } from './queue-store.js';
import { retryDelayMs, retryPolicy, type RetryPolicy, waitMs } from './retry-policy.js';
import type { TopicHandler } from './topic-handler.js';

export interface BatchLoopOptions {
  /** Consumer group; position rows and dead-letter topics are named after it. */
  readonly group: string;
  /** Whose name `delivery.stalled` carries. */
  readonly producer: Service;
  readonly database: Database;
  readonly log: Pick<EventLog, 'publish' | 'appendIn'>;
  readonly positions: PositionStore;
  readonly outbox: OutboxStore;
  readonly handlers: ReadonlyMap<string, TopicHandler>;
  readonly clock: Clock;
  readonly logger: DeliveryLogger;
  readonly failures?: readonly FailureRule[];
  readonly retry?: Partial<RetryPolicy>;
  /** Topics keyed by question: their dead letters are told by `delivery.stalled`. */
  readonly questionTopics?: ReadonlySet<string>;
  /** Topics whose handlers keep state per key (B9). */
  readonly parking?: { readonly store: ParkingStore; readonly topics: ReadonlySet<string>; readonly parkedMsMax: number };
  readonly crash?: CrashHook;
  readonly observer?: DeliveryObserver;
}

/** For metrics. */
export interface DeliveryObserver {
  batchHandled?(at: TopicPartition, messages: number, elapsedMs: number): void;
  retried?(at: TopicPartition, error: unknown): void;
  deadLettered?(at: TopicPartition, reason: string): void;
}

/** What only handling messages apart, or not at all, can get past (B5). */
interface Failure {
  readonly error: unknown;
}

export class BatchLoop implements PartitionHandler {
  readonly #owned = new Map<string, OwnedPartition>();
  readonly #deadLettersInRow = new Map<string, number>();
  readonly #retry: RetryPolicy;

  constructor(private readonly options: BatchLoopOptions) {
    this.#retry = { ...retryPolicy, ...options.retry };
  }

  async takeOver(at: TopicPartition, bounds: LogBounds): Promise<bigint> {
    const handler = this.options.handlers.get(at.topic);
    if (!handler) throw new ConsumerStoppedError(`group ${this.options.group} has no handler for ${at.topic}`);
    const owned = new OwnedPartition(at, handler, this.options);
    const position = await owned.takeOver(bounds);
    this.#owned.set(owned.name, owned);
    await this.#handleParked(owned);
    return position;
  }

  async handle(at: TopicPartition, messages: readonly LogMessage[]): Promise<void> {
    const owned = this.#owned.get(nameOf(at));
    if (!owned) throw new FencedError(`${nameOf(at)} is not ours: it was released or never taken over`);
    const last = messages.at(-1);
    if (!last) return;
    const { clock, observer, crash = noCrash } = this.options;
    const startedAtMs = clock.now().getTime();
    await this.#expireParked(owned);
    const apart = messages.length === 1 || (await this.#attempt(owned, 'batch', () => owned.handle(messages, null))) !== null;
    if (!apart) this.#deadLettersInRow.delete(owned.name);
    else for (const message of messages) await this.#handleAlone(owned, (refuse) => owned.handle([message], refuse));
    await this.#handleParked(owned);
    owned.deliveredTo(last.offset + 1n);
    observer?.batchHandled?.(at, messages.length, clock.now().getTime() - startedAtMs);
    await crash('before-offset-commit', owned.name);
  }

  /** What happens by time and not by messages (B10). */
  async tick(at: TopicPartition): Promise<void> {
    const owned = this.#owned.get(nameOf(at));
    if (!owned) return;
    await owned.look();
    await this.#expireParked(owned);
    await this.#handleParked(owned);
  }

  release(at: TopicPartition): void {
    this.#owned.delete(nameOf(at));
  }

  /** Null: handled. Otherwise `one-by-one` or `dead-letter` is next; all other ends are thrown. */
  async #attempt(owned: OwnedPartition, state: WorkState, work: () => Promise<void>): Promise<Failure | null> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await work();
        return null;
      } catch (error) {
        owned.forgetPosition();
        const event = this.#meaningOf(error, state, { owned, attempt });
        const { effect } = stepWork(state, event);
        if (effect === 'stop') throw event === 'own-fault-in-row' ? this.#tooManyInRow(owned, error) : stopped(error);
        if (effect === 'give-up') throw error;
        if (effect !== 'again') return { error };
        this.options.observer?.retried?.(owned.at, error);
        this.options.logger.warn({ err: error, attempt, ...owned.at }, 'a batch failed and is tried again');
        await waitMs(retryDelayMs(attempt, this.#retry));
      }
    }
  }

  #meaningOf(error: unknown, state: WorkState, { owned, attempt }: { owned: OwnedPartition; attempt: number }): WorkEvent {
    const { attemptsMax, aloneAttemptsMax, deadLettersInRowMax } = this.#retry;
    const action = actionFor(error, this.options.failures ?? failureTable);
    if (action === 'stop') return 'stop';
    if (error instanceof PublishError) return attempt >= attemptsMax ? 'unacknowledged-last' : 'unacknowledged';
    if (action === 'retry') return attempt >= attemptsMax ? 'transient-last' : 'transient';
    if (attempt < aloneAttemptsMax) return 'own-fault';
    const inRow = this.#deadLettersInRow.get(owned.name) ?? 0;
    return state === 'alone' && inRow >= deadLettersInRowMax ? 'own-fault-in-row' : 'own-fault-last';
  }

  #tooManyInRow(owned: OwnedPartition, error: unknown): Error {
    const many = `${owned.name}: ${this.#retry.deadLettersInRowMax} messages in a row went to the dead-letter topic`;
    return new ConsumerStoppedError(`${many}: the fault is hardly theirs. The last one: ${say(error)}`, { cause: error });
  }

  /** One message; when it keeps failing it is refused with a cause. */
  async #handleAlone(owned: OwnedPartition, work: (refuse: DeadLetterCause | null) => Promise<void>): Promise<void> {
    const failure = await this.#attempt(owned, 'alone', () => work(null));
    if (failure === null) return void this.#deadLettersInRow.delete(owned.name);
    this.#deadLettersInRow.set(owned.name, (this.#deadLettersInRow.get(owned.name) ?? 0) + 1);
    this.options.logger.error({ err: failure.error, ...owned.at }, 'a message keeps failing');
    await this.#attempt(owned, 'refusal', () => work({ reason: 'handler-failed', detail: say(failure.error) }));
  }

  /** Bounded by what is parked: each round handles some of it, or closes its key. */
  async #handleParked(owned: OwnedPartition): Promise<void> {
    for (let key = owned.openKey(); key !== null; key = owned.openKey()) {
      const open = key;
      if ((await this.#attempt(owned, 'batch', () => owned.unpark(open, false, null))) !== null)
        await this.#handleAlone(owned, (refuse) => owned.unpark(open, true, refuse));
    }
  }

  async #expireParked(owned: OwnedPartition): Promise<void> {
    for (let key = owned.overdueKey(); key !== null; key = owned.overdueKey()) {
      const overdue = key;
      await this.#attempt(owned, 'refusal', () => owned.expire(overdue));
    }
  }
}

function nameOf(at: TopicPartition): string {
  return `${at.topic}/${at.partition}`;
}

function say(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/** What adapters must not retry is one class, whatever caused it; being fenced is theirs to take over. */
function stopped(error: unknown): Error {
  if (error instanceof ConsumerStoppedError || error instanceof FencedError) return error;
  return new ConsumerStoppedError(say(error), { cause: error });
}
