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
 */
import type { EncodedEvent, Service } from '@lacuna/events';
import type { Clock, DeliveryLogger } from './clock.js';
import { type CrashHook, noCrash } from './crash-points.js';
import type { Database, Transaction } from './database.js';
import { deadLetter, type DeadLetterCause, questionTopics, stalledEvent } from './dead-letter.js';
import { ConsumerStoppedError, FencedError, PositionOutsideLogError, PublishError } from './delivery-error.js';
import type { EventLog, LogMessage, PartitionHandler, TopicPartition } from './event-log.js';
import { actionFor, failureTable, type FailureRule } from './failure-table.js';
import type { OutboxStore, PositionStore } from './queue-store.js';
import { receivedBatch } from './received-batch.js';
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
  readonly crash?: CrashHook;
  readonly observer?: DeliveryObserver;
}

/** For metrics. */
export interface DeliveryObserver {
  batchHandled?(at: TopicPartition, messages: number, elapsedMs: number): void;
  retried?(at: TopicPartition, error: unknown): void;
  deadLettered?(at: TopicPartition, reason: string): void;
}

/** A partition in our hands. `position` null: unknown, to be read by a takeover (B3). */
interface Owned {
  readonly at: TopicPartition;
  position: bigint | null;
  /** Where the adapter reads next; a position below it has been moved back by somebody. */
  readFrom: bigint;
  hasOutboxRow: boolean;
  deadLettersInRow: number;
}

export class BatchLoop implements PartitionHandler {
  readonly #owned = new Map<string, Owned>();
  readonly #retry: RetryPolicy;
  readonly #crash: CrashHook;
  readonly #questionTopics: ReadonlySet<string>;

  constructor(private readonly options: BatchLoopOptions) {
    this.#questionTopics = options.questionTopics ?? questionTopics;
    this.#retry = { ...retryPolicy, ...options.retry };
    this.#crash = options.crash ?? noCrash;
  }

  async takeOver(at: TopicPartition, bounds: { readonly logStart: bigint; readonly logEnd: bigint }): Promise<bigint> {
    if (!this.options.handlers.has(at.topic)) throw new ConsumerStoppedError(`group ${this.options.group} has no handler for ${at.topic}`);
    const owned: Owned = { at, position: null, readFrom: bounds.logStart, hasOutboxRow: false, deadLettersInRow: 0 };
    const position = await this.#takeOver(owned, bounds);
    this.#owned.set(nameOf(at), owned);
    return position;
  }

  async handle(at: TopicPartition, messages: readonly LogMessage[]): Promise<void> {
    const owned = this.#owned.get(nameOf(at));
    if (!owned) throw new FencedError(`${nameOf(at)} is not ours: it was released or never taken over`);
    const last = messages.at(-1);
    if (!last) return;
    const startedAtMs = this.options.clock.now().getTime();
    if ((await this.#attempt(owned, messages)) !== null) {
      for (const message of messages) await this.#handleAlone(owned, message);
    }
    owned.readFrom = last.offset + 1n;
    this.options.observer?.batchHandled?.(at, messages.length, this.options.clock.now().getTime() - startedAtMs);
    await this.#crash('before-offset-commit', nameOf(at));
  }

  release(at: TopicPartition): void {
    this.#owned.delete(nameOf(at));
  }

  /** Null: handled. Otherwise the failure that only handling the messages apart, or not at all, can get past (B5). */
  async #attempt(owned: Owned, messages: readonly LogMessage[], refuse: DeadLetterCause | null = null): Promise<Failure | null> {
    const alone = messages.length === 1;
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.#handleOnce(owned, messages, refuse);
        return null;
      } catch (error) {
        owned.position = null;
        const action = actionFor(error, this.options.failures ?? failureTable);
        if (action === 'stop') throw stopped(error);
        if (action === 'dead-letter' && (!alone || attempt >= this.#retry.aloneAttemptsMax)) return { error };
        if (attempt >= this.#retry.attemptsMax) {
          if (alone || error instanceof PublishError) throw error;
          return { error };
        }
        this.options.observer?.retried?.(owned.at, error);
        this.options.logger.warn({ err: error, attempt, ...owned.at }, 'a batch failed and is tried again');
        await waitMs(retryDelayMs(attempt, this.#retry));
      }
    }
  }

  async #handleAlone(owned: Owned, message: LogMessage): Promise<void> {
    const failure = await this.#attempt(owned, [message]);
    if (failure === null) return;
    if (owned.deadLettersInRow >= this.#retry.deadLettersInRowMax) {
      const many = `${owned.deadLettersInRow} messages in a row were dead-lettered`;
      throw new ConsumerStoppedError(`${nameOf(owned.at)}: ${many}, the last cause is not theirs: ${say(failure.error)}`, {
        cause: failure.error,
      });
    }
    const cause: DeadLetterCause = { reason: 'handler-failed', detail: say(failure.error) };
    this.options.logger.error({ err: failure.error, ...owned.at, offset: String(message.offset) }, 'a message keeps failing: dead letter');
    const again = await this.#attempt(owned, [message], cause);
    if (again !== null) throw stopped(again.error);
    owned.deadLettersInRow += 1;
  }

  /** Steps 1 and 2 of a batch; with `refuse`, its one message is dead-lettered instead of handled. */
  async #handleOnce(owned: Owned, messages: readonly LogMessage[], refuse: DeadLetterCause | null): Promise<void> {
    const position = owned.position ?? (await this.#takeOver(owned, null));
    const fresh = messages.filter((message) => message.offset >= position);
    const last = fresh.at(-1);
    if (!last) return;
    const next = last.offset + 1n;
    const outgoing = await this.options.database.transaction(async (tx) => {
      if (!(await this.options.positions.advance(tx, this.options.group, owned.at, position, next))) throw this.#fenced(owned, position);
      const events = await this.#apply(tx, owned, fresh, refuse);
      await this.#keep(tx, owned, events);
      await this.#crash('before-commit', nameOf(owned.at));
      return events;
    });
    await this.#crash('after-commit', nameOf(owned.at));
    if (this.options.log.appendIn === null) {
      owned.hasOutboxRow = outgoing.length > 0;
      await this.#publish(owned, outgoing);
    }
    owned.position = next;
    if (!refuse) owned.deadLettersInRow = 0;
  }

  async #apply(tx: Transaction, owned: Owned, fresh: readonly LogMessage[], refuse: DeadLetterCause | null): Promise<EncodedEvent[]> {
    const { group, producer, clock, handlers, observer } = this.options;
    const handler = handlers.get(owned.at.topic) as TopicHandler;
    const { tenants, refused } = refuse
      ? { tenants: [], refused: fresh.map((message) => ({ message, cause: refuse })) }
      : receivedBatch(fresh);
    const outgoing: EncodedEvent[] = [];
    for (const { tenantId, events } of tenants) {
      await tx.actFor(tenantId);
      outgoing.push(...(await handler({ tx, tenantId, topic: owned.at.topic, events })));
    }
    for (const { message, cause } of refused) {
      const by = { group, producer, at: clock.now() };
      const stalled = this.#questionTopics.has(message.topic) ? stalledEvent(message, cause, by) : null;
      outgoing.push(deadLetter(message, cause, by), ...(stalled ? [stalled] : []));
      observer?.deadLettered?.(owned.at, cause.reason);
      this.options.logger.error({ ...owned.at, offset: String(message.offset), ...cause }, 'a message goes to the dead-letter topic');
    }
    return outgoing;
  }

  /** The last statement of the transaction: heads and outbox are locked for as short as can be. */
  async #keep(tx: Transaction, owned: Owned, events: readonly EncodedEvent[]): Promise<void> {
    if (this.options.log.appendIn) {
      if (events.length > 0) await this.options.log.appendIn(tx, events);
      return;
    }
    if (events.length > 0 || owned.hasOutboxRow) await this.options.outbox.replace(tx, this.#source(owned.at), events);
  }

  async #publish(owned: Owned, events: readonly EncodedEvent[]): Promise<void> {
    if (events.length === 0) return;
    await this.#crash('before-publish', nameOf(owned.at));
    try {
      await this.options.log.publish(events);
    } catch (error) {
      throw new PublishError(error);
    }
    await this.#crash('after-publish', nameOf(owned.at));
  }

  /** Position first, then the outbox row found, then memory (B2). Without bounds it is the owner's own, after an error (B3). */
  async #takeOver(owned: Owned, bounds: { readonly logStart: bigint; readonly logEnd: bigint } | null): Promise<bigint> {
    const { database, group, positions, outbox } = this.options;
    const source = this.#source(owned.at);
    const { position, rows } = await database.transaction(async (tx) => {
      let stored = await positions.read(tx, group, owned.at);
      if (stored === null && bounds) {
        await positions.begin(tx, group, owned.at, bounds.logStart);
        stored = await positions.read(tx, group, owned.at);
      }
      return { position: stored, rows: await outbox.pending(tx, source, 1) };
    });
    if (position === null) throw new FencedError(`the position of ${nameOf(owned.at)} is gone`);
    if (bounds) this.#checkBounds(owned.at, position, bounds);
    else if (position < owned.readFrom) throw this.#fenced(owned, owned.readFrom);
    const events = rows.flatMap((row) => row.events);
    await this.#publish(owned, events);
    if (rows.length > 0 && this.options.log.appendIn)
      await database.transaction((tx) =>
        outbox.remove(
          tx,
          rows.map((row) => row.id),
        ),
      );
    owned.hasOutboxRow = rows.length > 0 && this.options.log.appendIn === null;
    if (bounds) owned.readFrom = position;
    owned.position = position;
    return position;
  }

  #checkBounds(at: TopicPartition, position: bigint, { logStart, logEnd }: { readonly logStart: bigint; readonly logEnd: bigint }): void {
    if (position >= logStart && position <= logEnd) return;
    const problem = position < logStart ? `before the log's first message ${logStart}` : `beyond the log's end ${logEnd}`;
    const advice =
      position < logStart
        ? 'Messages were removed before they were handled: restore them, or accept the loss'
        : 'The database belongs to another log, or the log was restored from an older backup: connect the right one';
    throw new PositionOutsideLogError(
      `group ${this.options.group} has handled ${nameOf(at)} up to ${position}, ${problem}. ${advice}, or set next_offset of its row in table position.`,
    );
  }

  #fenced(owned: Owned, position: bigint): FencedError {
    return new FencedError(`${nameOf(owned.at)} was at ${position} for group ${this.options.group} and has been moved by another owner`);
  }

  #source(at: TopicPartition): string {
    return `batch:${this.options.group}:${at.topic}:${at.partition}`;
  }
}

interface Failure {
  readonly error: unknown;
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
