/** Negative controls of the model: loops with one known mistake each, over the same tables and log. */
import { decodeEvent, type EncodedEvent } from '@lacuna/events';
import type { CrashHook, LogMessage, PartitionHandler, TopicPartition, Transaction } from '@lacuna/messaging';
import { type DeliveryWorld, GROUP } from './delivery-world.js';

export type Mistake = 'position-before-effect' | 'position-kept-over-failed-publish' | 'outbox-by-last-id' | 'no-fencing';

/** Of all processes, as a poller that keeps it in a table would have it. */
const lastPublished = new WeakMap<DeliveryWorld, number>();

export class NaiveLoop implements PartitionHandler {
  readonly #memory = new Map<number, bigint>();

  constructor(
    private readonly mistake: Mistake,
    private readonly world: DeliveryWorld,
    private readonly crash: CrashHook,
  ) {}

  async takeOver(at: TopicPartition, { logStart }: { readonly logStart: bigint }): Promise<bigint> {
    const { tables } = this.world;
    const stored = await tables.database.transaction(async (tx) => {
      await tables.positions.begin(tx, GROUP, at, logStart);
      return tables.positions.read(tx, GROUP, at);
    });
    const kept = this.mistake === 'position-kept-over-failed-publish' ? this.#memory.get(at.partition) : undefined;
    const position = kept ?? stored ?? logStart;
    if (kept === undefined) await this.world.log.publish(await this.#left(at));
    this.#memory.set(at.partition, position);
    return position;
  }

  async handle(at: TopicPartition, messages: readonly LogMessage[]): Promise<void> {
    const from = this.#memory.get(at.partition) ?? 0n;
    const fresh = messages.filter((message) => message.offset >= from);
    const to = (fresh.at(-1)?.offset ?? from - 1n) + 1n;
    if (fresh.length === 0) return;
    const where = `${at.topic}/${at.partition}`;
    if (this.mistake === 'position-before-effect') {
      await this.world.tables.database.transaction((tx) => this.#advance(tx, at, from, to));
      await this.crash('after-commit', where);
    }
    const outgoing = await this.world.tables.database.transaction(async (tx) => {
      if (this.mistake !== 'position-before-effect') await this.#advance(tx, at, from, to);
      const caused = await this.#apply(tx, fresh);
      await this.#keepOutgoing(tx, at, caused);
      await this.crash('before-commit', where);
      return caused;
    });
    if (this.mistake === 'position-kept-over-failed-publish') this.#memory.set(at.partition, to);
    await this.crash('before-publish', where);
    if (this.mistake === 'outbox-by-last-id') await this.#poll();
    else await this.world.log.publish(outgoing);
    this.#memory.set(at.partition, to);
  }

  release(): void {}

  async #advance(tx: Transaction, at: TopicPartition, from: bigint, to: bigint): Promise<void> {
    const { tables } = this.world;
    if (this.mistake === 'no-fencing') return tables.setPosition(tx, GROUP, at, to);
    if (!(await tables.positions.advance(tx, GROUP, at, from, to))) throw new Error('fenced');
  }

  async #apply(tx: Transaction, messages: readonly LogMessage[]): Promise<EncodedEvent[]> {
    const received = messages.flatMap((message) => {
      const outcome = decodeEvent(message);
      return outcome.ok ? [{ ...outcome.event, partition: message.partition, offset: message.offset }] : [];
    });
    return [...(await this.world.handler({ tx, tenantId: 'acme', topic: messages[0]?.topic ?? '', events: received }))];
  }

  async #keepOutgoing(tx: Transaction, at: TopicPartition, events: readonly EncodedEvent[]): Promise<void> {
    const { outbox } = this.world.tables;
    if (this.mistake === 'outbox-by-last-id') await outbox.add(tx, 'all', events);
    else await outbox.replace(tx, String(at.partition), events);
  }

  async #left(at: TopicPartition): Promise<EncodedEvent[]> {
    return this.world.tables.outboxRows.filter((row) => row.source === String(at.partition)).flatMap((row) => row.events);
  }

  /** An id that was drawn before, and committed after, is passed over for ever. */
  async #poll(): Promise<void> {
    const { world } = this;
    const last = lastPublished.get(world) ?? 0;
    const rows = world.tables.outboxRows.filter((row) => row.id > last).sort((a, b) => a.id - b.id);
    await world.log.publish(rows.flatMap((row) => row.events));
    lastPublished.set(world, Math.max(last, ...rows.map((row) => row.id)));
  }
}
