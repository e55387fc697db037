/** What waits behind dead letters, in memory: a partition's rows are changed by the one transaction that has moved its position. */
import type { LogMessage, ParkingStore, StalledKey, TopicPartition, Transaction } from '@lacuna/messaging';
import { MemoryTransaction } from './memory-tables.js';

const keyOf = (message: LogMessage) => message.key?.toString('hex') ?? '';
const partitionOf = (at: TopicPartition) => `${at.topic}/${at.partition}`;

export class MemoryParking {
  #stalled: StalledKey[] = [];
  readonly #parked = new Map<string, readonly LogMessage[]>();
  /** What a transaction has made of a partition's rows, until it commits. */
  readonly #uncommitted = new WeakMap<Transaction, Map<string, readonly LogMessage[]>>();

  readonly store: ParkingStore = {
    stalled: async () => [...this.#stalled],
    stall: async (tx, _group, _topic, stalled) =>
      this.#later(tx, () => {
        const added = stalled.filter((one) => !this.#stalled.some((other) => isSame(one, other)));
        this.#stalled = [...this.#stalled, ...added];
      }),
    release: async (tx, _group, _topic, released) =>
      this.#later(tx, () => (this.#stalled = this.#stalled.filter((one) => !released.some((other) => isSame(one, other))))),
    parkedKeys: async (tx, _group, at) => {
      const keys = new Map<string, number>();
      for (const message of this.#rows(tx, at)) keys.set(keyOf(message), (keys.get(keyOf(message)) ?? 0) + 1);
      return [...keys].map(([key, count]) => ({ key, count, oldestParkedAtMs: 0 }));
    },
    park: async (tx, _group, messages) => {
      const [first] = messages;
      if (first) this.#set(tx, first, [...this.#rows(tx, first), ...messages]);
    },
    parked: async (tx, _group, at, key, max) =>
      this.#rows(tx, at)
        .filter((message) => keyOf(message) === key)
        .sort((a, b) => Number(a.offset - b.offset))
        .slice(0, max),
    unpark: async (tx, _group, messages) => {
      const [first] = messages;
      const gone = new Set(messages.map(({ offset }) => offset));
      if (first)
        this.#set(
          tx,
          first,
          this.#rows(tx, first).filter(({ offset }) => !gone.has(offset)),
        );
    },
  };

  #rows(tx: Transaction, at: TopicPartition): readonly LogMessage[] {
    return this.#uncommitted.get(tx)?.get(partitionOf(at)) ?? this.#parked.get(partitionOf(at)) ?? [];
  }

  #set(tx: Transaction, at: TopicPartition, rows: readonly LogMessage[]): void {
    const changed = this.#uncommitted.get(tx) ?? new Map<string, readonly LogMessage[]>();
    this.#uncommitted.set(tx, changed.set(partitionOf(at), rows));
    this.#later(tx, () => this.#parked.set(partitionOf(at), rows));
  }

  #later(tx: Transaction, write: () => unknown): void {
    if (!(tx instanceof MemoryTransaction)) throw new Error('a transaction of another database');
    tx.writes.push(() => void write());
  }
}

const isSame = (one: StalledKey, other: StalledKey) => one.key === other.key && one.message === other.message;
