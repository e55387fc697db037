/**
 * One partition in our hands: takeover and the two steps of a batch. Invariants B1, B2, B4, B6, B7 and B8 of batch-loop.ts.
 */
import type { EncodedEvent } from '@lacuna/events';
import type { BatchLoopOptions } from './batch-loop.js';
import { noCrash } from './crash-points.js';
import type { Transaction } from './database.js';
import { clearedEvent, deadLetter, type DeadLetterCause, questionTopics, stalledEvent } from './dead-letter.js';
import { FencedError, PositionOutsideLogError, PublishError } from './delivery-error.js';
import type { LogMessage, TopicPartition } from './event-log.js';
import { receivedBatch, type ReceivedBatch } from './received-batch.js';
import type { TopicHandler } from './topic-handler.js';

export interface LogBounds {
  readonly logStart: bigint;
  readonly logEnd: bigint;
}

export class OwnedPartition {
  readonly name: string;
  readonly #source: string;
  /** Null: unknown, to be read by a takeover. */
  #position: bigint | null = null;
  /** The last position up to which all is acknowledged: the outbox row found there need not be published again. */
  #acknowledged: bigint | null = null;
  /** Where the adapter reads next; a stored position below it has been moved back by somebody. */
  #readFrom = 0n;
  #hasOutboxRow = false;

  constructor(
    readonly at: TopicPartition,
    private readonly handler: TopicHandler,
    private readonly options: BatchLoopOptions,
  ) {
    this.name = `${at.topic}/${at.partition}`;
    this.#source = `batch:${options.group}:${at.topic}:${at.partition}`;
  }

  /** After any error: what is in memory may be wrong. */
  forgetPosition(): void {
    this.#position = null;
  }

  deliveredTo(offset: bigint): void {
    this.#readFrom = offset;
  }

  /** Position first, then the outbox row found, then memory (B2). Without bounds it is the owner's own, after an error (B3). */
  async takeOver(bounds: LogBounds | null): Promise<bigint> {
    const { database, outbox, log } = this.options;
    const { position, rows } = await database.transaction(async (tx) => ({
      position: await this.#storedPosition(tx, bounds),
      rows: await outbox.pending(tx, this.#source, 1),
    }));
    if (position === null) throw new FencedError(`the position of ${this.name} is gone`);
    if (bounds) this.#checkBounds(position, bounds);
    else if (position < this.#readFrom) throw this.#fenced(this.#readFrom);
    if (position !== this.#acknowledged) await this.#publish(rows.flatMap((row) => row.events));
    const ids = rows.map((row) => row.id);
    if (ids.length > 0 && log.appendIn) await database.transaction((tx) => outbox.remove(tx, ids));
    this.#hasOutboxRow = ids.length > 0 && log.appendIn === null;
    if (bounds) this.#readFrom = position;
    this.#position = this.#acknowledged = position;
    return position;
  }

  /** Handles what is not handled yet (B4) and publishes what follows; with `refuse`, its messages are dead-lettered instead. */
  async handle(messages: readonly LogMessage[], refuse: DeadLetterCause | null): Promise<void> {
    const position = this.#position ?? (await this.takeOver(null));
    const fresh = messages.filter((message) => message.offset >= position);
    const last = fresh.at(-1);
    if (!last) return;
    const next = last.offset + 1n;
    const batch = refuse
      ? { tenants: [], accepted: [], refused: fresh.map((message) => ({ message, cause: refuse })) }
      : receivedBatch(fresh);
    const outgoing = await this.options.database.transaction((tx) => this.#commit(tx, position, next, batch));
    await this.#crash('after-commit');
    this.#tellRefused(batch);
    if (this.options.log.appendIn === null) {
      this.#hasOutboxRow = outgoing.length > 0;
      await this.#publish(outgoing);
    }
    this.#position = this.#acknowledged = next;
  }

  async #storedPosition(tx: Transaction, bounds: LogBounds | null): Promise<bigint | null> {
    const { positions, group } = this.options;
    const stored = await positions.read(tx, group, this.at);
    if (stored !== null || !bounds) return stored;
    await positions.begin(tx, group, this.at, bounds.logStart);
    return positions.read(tx, group, this.at);
  }

  /** Step 1 (B1). What is kept for publication comes last: heads and outbox are locked for as short as can be. */
  async #commit(tx: Transaction, position: bigint, next: bigint, batch: ReceivedBatch): Promise<EncodedEvent[]> {
    const { positions, outbox, log, group } = this.options;
    if (!(await positions.advance(tx, group, this.at, position, next))) throw this.#fenced(position);
    const events = [...(await this.#apply(tx, batch)), ...this.#deliveryEvents(batch)];
    if (log.appendIn === null) {
      if (events.length > 0 || this.#hasOutboxRow) await outbox.replace(tx, this.#source, events);
    } else if (events.length > 0) await log.appendIn(tx, events);
    await this.#crash('before-commit');
    return events;
  }

  async #apply(tx: Transaction, batch: ReceivedBatch): Promise<EncodedEvent[]> {
    const outgoing: EncodedEvent[] = [];
    for (const { tenantId, events } of batch.tenants) {
      await tx.actFor(tenantId);
      outgoing.push(...(await this.handler({ tx, tenantId, topic: this.at.topic, events })));
    }
    return outgoing;
  }

  /** Dead letters with what tells their questions, and what clears those that were put back. */
  #deliveryEvents(batch: ReceivedBatch): EncodedEvent[] {
    const { group, producer, clock } = this.options;
    const by = { group, producer, at: clock.now() };
    const tells = (this.options.questionTopics ?? questionTopics).has(this.at.topic);
    const cleared = tells ? batch.accepted.map((message) => clearedEvent(message, by)) : [];
    const stalled = batch.refused.flatMap(({ message, cause }) => [
      deadLetter(message, cause, by),
      tells ? stalledEvent(message, cause, by) : null,
    ]);
    return [...cleared, ...stalled].filter((event) => event !== null);
  }

  #tellRefused(batch: ReceivedBatch): void {
    for (const { message, cause } of batch.refused) {
      this.options.observer?.deadLettered?.(this.at, cause.reason);
      this.options.logger.error({ ...this.at, offset: String(message.offset), ...cause }, 'a message went to the dead-letter topic');
    }
  }

  /** Step 2. Its errors are of one class: what is committed is published again, never blamed on a message (B6). */
  async #publish(events: readonly EncodedEvent[]): Promise<void> {
    if (events.length === 0) return;
    await this.#crash('before-publish');
    try {
      await this.options.log.publish(events);
    } catch (error) {
      throw new PublishError(error);
    }
    await this.#crash('after-publish');
  }

  #checkBounds(position: bigint, { logStart, logEnd }: LogBounds): void {
    if (position >= logStart && position <= logEnd) return;
    const isBefore = position < logStart;
    const problem = isBefore ? `before the log's first message ${logStart}` : `beyond the log's end ${logEnd}`;
    const advice = isBefore
      ? 'Messages were removed before they were handled: restore them, or accept the loss'
      : 'The database belongs to another log, or the log was restored from an older backup: connect the right one';
    const done = `group ${this.options.group} has handled ${this.name} up to ${position}, ${problem}`;
    throw new PositionOutsideLogError(`${done}. ${advice}, or set next_offset of its row in table position.`);
  }

  #fenced(position: bigint): FencedError {
    return new FencedError(`${this.name} was at ${position} for group ${this.options.group} and has been moved by another owner`);
  }

  async #crash(point: string): Promise<void> {
    await (this.options.crash ?? noCrash)(point, this.name);
  }
}
