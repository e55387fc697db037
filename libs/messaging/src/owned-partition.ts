/**
 * One partition in our hands: takeover and the two steps of a batch. Invariants B1, B2, B4, B6, B7, B8 and B9 of batch-loop.ts.
 */
import type { EncodedEvent } from '@lacuna/events';
import { type PartitionEffect, type PartitionEvent, type PartitionState, stepPartition } from './batch-loop-machine.js';
import type { BatchLoopOptions } from './batch-loop.js';
import { noCrash } from './crash-points.js';
import type { Transaction } from './database.js';
import { clearedEvent, deadLetter, type DeadLetterCause, questionTopics, stalledEvent } from './dead-letter.js';
import { ConsumerStoppedError, FencedError, PositionOutsideLogError, PublishError } from './delivery-error.js';
import type { LogMessage, TopicPartition } from './event-log.js';
import { KeyGate } from './key-gate.js';
import { receivedBatch, type ReceivedBatch, refusedBatch } from './received-batch.js';
import type { TopicHandler } from './topic-handler.js';

export interface LogBounds {
  readonly logStart: bigint;
  readonly logEnd: bigint;
}

/** Parked messages of one key that are handled in one transaction. */
const UNPARKED_MAX = 100;

/** What one transaction does. */
interface Step {
  readonly from: bigint;
  readonly to: bigint;
  /** As it is when this step is committed; null where this topic parks nothing. */
  readonly gate: KeyGate | null;
  readonly receive: (tx: Transaction) => Promise<ReceivedBatch>;
}

export class OwnedPartition {
  readonly name: string;
  readonly #source: string;
  #state: PartitionState = 'released';
  /** Null: unknown, to be read by a takeover. */
  #position: bigint | null = null;
  /** The last position up to which all is acknowledged: the outbox row found there need not be published again. */
  #acknowledged: bigint | null = null;
  /** Where the adapter reads next; a stored position below it has been moved back by somebody. */
  #readFrom = 0n;
  #hasOutboxRow = false;
  #gate: KeyGate | null = null;

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
    this.#step('failed');
  }

  deliveredTo(offset: bigint): void {
    this.#readFrom = offset;
  }

  /** Position first, then the outbox row found, then memory (B2). Without bounds it is the owner's own, after an error (B3). */
  async takeOver(bounds: LogBounds | null): Promise<bigint> {
    this.#step(bounds ? 'taken' : 'work');
    const { database, outbox, log } = this.options;
    const { position, rows, gate } = await database.transaction(async (tx) => ({
      position: await this.#storedPosition(tx, bounds),
      rows: await outbox.pending(tx, this.#source, 1),
      gate: await this.#storedGate(tx),
    }));
    if (position === null) throw this.#moved(`the position of ${this.name} is gone`);
    if (bounds) this.#checkBounds(position, bounds);
    else if (position < this.#readFrom) throw this.#fenced(this.#readFrom);
    this.#step('found');
    if (position !== this.#acknowledged) await this.#publish(rows.flatMap((row) => row.events));
    const ids = rows.map((row) => row.id);
    if (ids.length > 0 && log.appendIn) await database.transaction((tx) => outbox.remove(tx, ids));
    this.#hasOutboxRow = ids.length > 0 && log.appendIn === null;
    if (bounds) this.#readFrom = position;
    this.#keep(gate, position);
    return position;
  }

  /** Handles what is not handled yet (B4) and publishes what follows; with `refuse`, its messages are dead-lettered instead. */
  async handle(messages: readonly LogMessage[], refuse: DeadLetterCause | null): Promise<void> {
    const position = this.#position ?? (await this.takeOver(null));
    const fresh = messages.filter((message) => message.offset >= position);
    const last = fresh.at(-1);
    if (!last) return;
    const gate = this.#gate?.copy() ?? null;
    const nowMs = this.options.clock.now().getTime();
    const batch = refuse ? refusedBatch(fresh, refuse, gate) : receivedBatch(fresh, gate, nowMs);
    await this.#take({ from: position, to: last.offset + 1n, gate, receive: () => Promise.resolve(batch) });
  }

  /** Without traffic nobody would notice that the position was moved: by another owner, or for a replay. */
  async look(): Promise<void> {
    const position = this.#position;
    if (position === null) return;
    const { database, positions, group } = this.options;
    const stored = await database.transaction((tx) => positions.read(tx, group, this.at));
    if (stored !== position) throw this.#fenced(position);
  }

  /** A key whose parked messages can be handled now (B9); null: none. */
  openKey(): string | null {
    return this.#gate?.openKey() ?? null;
  }

  /** A key that has kept messages back for too long. */
  overdueKey(): string | null {
    return this.#gate?.overdueKey(this.#parkedBefore().getTime()) ?? null;
  }

  /** Handles the oldest parked messages of an open key; `alone`: one. With `refuse`, they are dead-lettered instead. */
  async unpark(key: string, alone: boolean, refuse: DeadLetterCause | null): Promise<void> {
    await this.#unparked(key, refuse, alone ? 1 : UNPARKED_MAX);
  }

  /** Dead-letters what has been parked for too long: nothing waits for ever unseen. */
  async expire(key: string): Promise<void> {
    const detail = `the message before it was not put back within ${this.options.parking?.parkedMsMax ?? 0} ms`;
    await this.#unparked(key, { reason: 'parked-too-long', detail }, UNPARKED_MAX, this.#parkedBefore());
  }

  async #unparked(key: string, refuse: DeadLetterCause | null, max: number, parkedBefore?: Date): Promise<void> {
    const position = this.#position ?? (await this.takeOver(null));
    const { parking, group } = this.options;
    const gate = this.#gate?.copy();
    if (!parking || !gate) return;
    const receive = async (tx: Transaction): Promise<ReceivedBatch> => {
      const waiting = await parking.store.parked(tx, group, this.at, key, max, parkedBefore);
      // Of its own: a bad one among them keeps back those behind it.
      const apart = new KeyGate(group);
      const batch = refuse ? refusedBatch(waiting, refuse, apart) : receivedBatch(waiting, apart);
      await parking.store.unpark(tx, group, waiting.slice(0, waiting.length - batch.parked.length));
      gate.setParked(await parking.store.parkedKeys(tx, group, this.at));
      for (const { message } of batch.refused) gate.stall(gate.stalledBy(message));
      return { ...batch, parked: [] };
    };
    await this.#take({ from: position, to: position, gate, receive });
  }

  /** Commits a step and publishes what follows; memory comes last (B2). */
  async #take(step: Step): Promise<void> {
    this.#step('work');
    const { batch, outgoing } = await this.options.database.transaction((tx) => this.#commit(tx, step));
    this.#step('committed');
    await this.#crash('after-commit');
    this.#tellRefused(batch);
    if (this.options.log.appendIn === null) {
      this.#hasOutboxRow = outgoing.length > 0;
      await this.#publish(outgoing);
    }
    this.#keep(step.gate, step.to);
  }

  /** Everything before `position` is acknowledged: now it may enter memory (B2). */
  #keep(gate: KeyGate | null, position: bigint): void {
    this.#step('acknowledged');
    this.#gate = gate;
    this.#position = this.#acknowledged = position;
  }

  /** Every move of this partition is one of the table. What must not happen stops the consumer before it is committed. */
  #step(event: PartitionEvent): PartitionEffect {
    const { effect, next } = stepPartition(this.#state, event);
    const from = this.#state;
    this.#state = next;
    if (effect === 'forget' || effect === 'fence' || effect === 'bug') this.#position = null;
    if (effect === 'bug') throw new ConsumerStoppedError(`${this.name} was ${from} and cannot be ${event}: two calls at a time, or a bug`);
    return effect;
  }

  async #storedPosition(tx: Transaction, bounds: LogBounds | null): Promise<bigint | null> {
    const { positions, group } = this.options;
    const stored = await positions.read(tx, group, this.at);
    if (stored !== null || !bounds) return stored;
    await positions.begin(tx, group, this.at, bounds.logStart);
    return positions.read(tx, group, this.at);
  }

  async #storedGate(tx: Transaction): Promise<KeyGate | null> {
    const { parking, group } = this.options;
    if (!parking?.topics.has(this.at.topic)) return null;
    const stalled = await parking.store.stalled(tx, group, this.at.topic);
    return new KeyGate(group, stalled, await parking.store.parkedKeys(tx, group, this.at));
  }

  /** Step 1 (B1). What is kept for publication comes last: heads and outbox are locked for as short as can be. */
  async #commit(tx: Transaction, { from, to, gate, receive }: Step): Promise<{ batch: ReceivedBatch; outgoing: EncodedEvent[] }> {
    const { positions, outbox, log, group } = this.options;
    if (!(await positions.advance(tx, group, this.at, from, to))) throw this.#fenced(from);
    const batch = await receive(tx);
    const outgoing = [...(await this.#apply(tx, batch)), ...this.#deliveryEvents(batch)];
    if (gate) await this.#keepGate(tx, gate, batch);
    if (log.appendIn === null) {
      if (outgoing.length > 0 || this.#hasOutboxRow) await outbox.replace(tx, this.#source, outgoing);
    } else if (outgoing.length > 0) await log.appendIn(tx, outgoing);
    await this.#crash('before-commit');
    return { batch, outgoing };
  }

  async #keepGate(tx: Transaction, gate: KeyGate, { refused, released, parked }: ReceivedBatch): Promise<void> {
    const { parking, group, clock } = this.options;
    if (!parking) return;
    const { topic } = this.at;
    if (released.length > 0) await parking.store.release(tx, group, topic, released);
    const stalled = refused.map(({ message }) => gate.stalledBy(message));
    if (stalled.length > 0) await parking.store.stall(tx, group, topic, stalled);
    if (parked.length > 0) await parking.store.park(tx, group, parked, clock.now());
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

  #parkedBefore(): Date {
    return new Date(this.options.clock.now().getTime() - (this.options.parking?.parkedMsMax ?? 0));
  }

  #checkBounds(position: bigint, { logStart, logEnd }: LogBounds): void {
    if (position >= logStart && position <= logEnd) return;
    const isBefore = position < logStart;
    const problem = isBefore ? `before the log's first message ${logStart}` : `beyond the log's end ${logEnd}`;
    const advice = isBefore
      ? 'Messages were removed before they were handled: restore them, or accept the loss'
      : 'The database belongs to another log, or the log was restored from an older backup: connect the right one';
    const done = `group ${this.options.group} has handled ${this.name} up to ${position}, ${problem}`;
    this.#step('outside');
    throw new PositionOutsideLogError(`${done}. ${advice}, or set next_offset of its row in table position.`);
  }

  #fenced(position: bigint): FencedError {
    return this.#moved(`${this.name} was at ${position} for group ${this.options.group} and has been moved by another owner`);
  }

  #moved(message: string): FencedError {
    this.#step('moved');
    return new FencedError(message);
  }

  async #crash(point: string): Promise<void> {
    await (this.options.crash ?? noCrash)(point, this.name);
  }
}
