/** Queue tables in memory, as a database keeps them: a transaction's writes show at its commit, and a row it moved is locked until then. */
import type { EncodedEvent } from '@lacuna/events';
import type { OutboxStore, PositionStore, TopicPartition, Transaction } from '@lacuna/messaging';

interface OutboxRow {
  readonly id: number;
  readonly source: string;
  readonly events: EncodedEvent[];
}

/** Writes wait for the commit; `positions` are seen by the transaction itself before. */
export class MemoryTransaction implements Transaction {
  readonly positions = new Map<string, bigint>();
  readonly writes: (() => void)[] = [];
  readonly query = async () => [];
  readonly actFor = async () => undefined;
}

const mine = (tx: Transaction): MemoryTransaction => {
  if (!(tx instanceof MemoryTransaction)) throw new Error('a transaction of another database');
  return tx;
};
const rowOf = (group: string, at: TopicPartition) => `${group}:${at.topic}/${at.partition}`;
export const withCode = (code: string): Error => Object.assign(new Error(`the database says ${code}`), { code });

export class MemoryTables {
  readonly positionRows = new Map<string, bigint>();
  readonly effects: string[] = [];
  outboxRows: OutboxRow[] = [];
  /** Transactions that fail from now on, with their SQLSTATE. */
  failures: string[] = [];
  readonly #locks = new Map<string, MemoryTransaction>();
  #outboxId = 0;

  readonly database = {
    ping: async () => undefined,
    transaction: async <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => {
      const tx = new MemoryTransaction();
      try {
        const failure = this.failures.shift();
        if (failure) throw withCode(failure);
        const result = await work(tx);
        for (const [row, offset] of tx.positions) this.positionRows.set(row, offset);
        for (const write of tx.writes) write();
        return result;
      } finally {
        for (const [row, holder] of this.#locks) if (holder === tx) this.#locks.delete(row);
      }
    },
  };

  readonly positions: PositionStore = {
    read: async (tx, group, at) => this.#positionOf(mine(tx), rowOf(group, at)),
    begin: async (tx, group, at, offset) => {
      const row = rowOf(group, at);
      if (this.#positionOf(mine(tx), row) === null) mine(tx).positions.set(row, offset);
    },
    advance: async (tx, group, at, from, to) => {
      const row = rowOf(group, at);
      this.lock(tx, row);
      if (this.#positionOf(mine(tx), row) !== from) return false;
      mine(tx).positions.set(row, to);
      return true;
    },
  };

  readonly outbox: OutboxStore = {
    replace: async (tx, source, events) => {
      const id = (this.#outboxId += 1);
      mine(tx).writes.push(() => {
        this.outboxRows = this.outboxRows.filter((row) => row.source !== source);
        if (events.length > 0) this.outboxRows.push({ id, source, events: [...events] });
      });
    },
    add: async (tx, source, events) => {
      const id = (this.#outboxId += 1);
      mine(tx).writes.push(() => this.outboxRows.push({ id, source, events: [...events] }));
      return String(id);
    },
    pending: async (_tx, source) =>
      this.outboxRows.filter((row) => row.source === source).map((row) => ({ id: String(row.id), events: row.events })),
    remove: async () => undefined,
    staleSources: async () => [],
    lockSource: async () => true,
  };

  /** As `lock_timeout` does, without the wait: whoever finds the row locked is told to try again. */
  lock(tx: Transaction, row: string): void {
    const holder = this.#locks.get(row);
    if (holder && holder !== tx) throw withCode('55P03');
    this.#locks.set(row, mine(tx));
  }

  addEffect(tx: Transaction, effect: string): void {
    mine(tx).writes.push(() => this.effects.push(effect));
  }

  /** Without looking where it was: what a loop without fencing does. */
  setPosition(tx: Transaction, group: string, at: TopicPartition, to: bigint): void {
    mine(tx).positions.set(rowOf(group, at), to);
  }

  #positionOf(tx: MemoryTransaction, row: string): bigint | null {
    return tx.positions.get(row) ?? this.positionRows.get(row) ?? null;
  }
}
