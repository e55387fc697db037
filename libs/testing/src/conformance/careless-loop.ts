/** Negative controls: loops with one known mistake each. The suite must find what they lose. */
import type { CrashHook, EventLog, LogMessage, PartitionHandler, TopicHandler, TopicPartition } from '@lacuna/messaging';
import { decodeEvent, type EncodedEvent } from '@lacuna/events';
import { PostgresOutboxStore, PostgresPositionStore } from '@lacuna/postgres';
import type { PostgresDatabase, PostgresTransaction } from '@lacuna/postgres';

export type Mistake = 'position-before-effect' | 'position-kept-over-failed-publish' | 'effect-before-position';

export interface CarelessSettings {
  readonly mistake: Mistake;
  readonly group: string;
  readonly database: PostgresDatabase;
  readonly log: Pick<EventLog, 'publish'>;
  readonly handlers: ReadonlyMap<string, TopicHandler>;
  /** Passed between the two halves that a sound loop keeps together. */
  readonly between: CrashHook;
}

export class CarelessLoop implements PartitionHandler {
  readonly #positions = new PostgresPositionStore();
  readonly #outbox = new PostgresOutboxStore();
  readonly #memory = new Map<number, bigint>();

  constructor(private readonly settings: CarelessSettings) {}

  async takeOver(at: TopicPartition, bounds: { readonly logStart: bigint }): Promise<bigint> {
    const { database, group } = this.settings;
    const stored = await database.transaction(async (tx) => {
      await this.#positions.begin(tx, group, at, bounds.logStart);
      return this.#positions.read(tx, group, at);
    });
    const position = this.#memory.get(at.partition) ?? stored ?? bounds.logStart;
    this.#memory.set(at.partition, position);
    return position;
  }

  async handle(at: TopicPartition, messages: readonly LogMessage[]): Promise<void> {
    const from = this.#memory.get(at.partition) ?? 0n;
    const fresh = messages.filter((message) => message.offset >= from);
    const to = (fresh.at(-1)?.offset ?? from - 1n) + 1n;
    if (fresh.length === 0) return;
    const { mistake, database, log, between } = this.settings;
    if (mistake === 'position-before-effect') {
      await database.transaction((tx) => this.#advance(tx, at, from, to));
      this.#memory.set(at.partition, to);
      await between('before-commit', at.topic);
      await log.publish(await database.transaction((tx) => this.#apply(tx, fresh)));
    } else if (mistake === 'effect-before-position') {
      await log.publish(await database.transaction((tx) => this.#apply(tx, fresh)));
      await between('before-commit', at.topic);
      await database.transaction((tx) => this.#advance(tx, at, from, to));
      this.#memory.set(at.partition, to);
    } else {
      const outgoing = await database.transaction(async (tx) => {
        await this.#advance(tx, at, from, to);
        const events = await this.#apply(tx, fresh);
        await this.#outbox.replace(tx, `batch:${this.settings.group}:${at.partition}`, events);
        return events;
      });
      this.#memory.set(at.partition, to);
      await log.publish(outgoing);
    }
  }

  release(): void {}

  async #advance(tx: PostgresTransaction, at: TopicPartition, from: bigint, to: bigint): Promise<void> {
    if (!(await this.#positions.advance(tx, this.settings.group, at, from, to))) throw new Error('fenced');
  }

  async #apply(tx: PostgresTransaction, messages: readonly LogMessage[]): Promise<EncodedEvent[]> {
    const outgoing: EncodedEvent[] = [];
    for (const message of messages) {
      const outcome = decodeEvent(message);
      const handler = this.settings.handlers.get(message.topic);
      if (!outcome.ok || !handler) continue;
      const { tenantId } = outcome.event.data as { tenantId: string };
      await tx.actFor(tenantId);
      const events = [{ ...outcome.event, partition: message.partition, offset: message.offset }];
      outgoing.push(...(await handler({ tx, tenantId, topic: message.topic, events })));
    }
    return outgoing;
  }
}
