/**
 * The queue tables of one service, as the delivery algorithm uses them: positions, outbox, jobs. They hold ids, times and
 * opaque bytes across tenants; nobody reaches them but through these ports.
 */
import type { EncodedEvent } from '@lacuna/events';
import type { Transaction } from './database.js';
import type { LogMessage, TopicPartition } from './event-log.js';
import type { ParkedKey, StalledKey } from './key-gate.js';

/** Position rows: what (group, topic, partition) has handled. The offset is the next one to handle. */
export interface PositionStore {
  /** Null: this group has never read this partition. */
  read(tx: Transaction, group: string, at: TopicPartition): Promise<bigint | null>;
  /** Inserts the first position; does nothing when there is one. */
  begin(tx: Transaction, group: string, at: TopicPartition, offset: bigint): Promise<void>;
  /** Moves from exactly `from` to `to`. False: the row was not at `from`, somebody else owns it (fenced). */
  advance(tx: Transaction, group: string, at: TopicPartition, from: bigint, to: bigint): Promise<boolean>;
}

/** Keys that wait behind a dead letter, and the messages that wait with them, of one group. */
export interface ParkingStore {
  stalled(tx: Transaction, group: string, topic: string): Promise<StalledKey[]>;
  stall(tx: Transaction, group: string, topic: string, stalled: readonly StalledKey[]): Promise<void>;
  release(tx: Transaction, group: string, topic: string, released: readonly StalledKey[]): Promise<void>;
  parkedKeys(tx: Transaction, group: string, at: TopicPartition): Promise<ParkedKey[]>;
  park(tx: Transaction, group: string, messages: readonly LogMessage[], now: Date): Promise<void>;
  /** In log order; with `parkedBefore` only what has been parked since before that. */
  parked(tx: Transaction, group: string, at: TopicPartition, key: string, max: number, parkedBefore?: Date): Promise<LogMessage[]>;
  unpark(tx: Transaction, group: string, messages: readonly LogMessage[]): Promise<void>;
}

/** Events written with a state change, to be published behind it. `source` orders them: one publisher per source at a time. */
export interface OutboxStore {
  /** Replaces the source's last row by one with all these events (none: only deletes). */
  replace(tx: Transaction, source: string, events: readonly EncodedEvent[]): Promise<void>;
  /** Adds a row behind the source's others; answers its id. */
  add(tx: Transaction, source: string, events: readonly EncodedEvent[]): Promise<string>;
  /** Rows of a source, oldest first. */
  pending(tx: Transaction, source: string, rowsMax: number): Promise<{ id: string; events: EncodedEvent[] }[]>;
  remove(tx: Transaction, ids: readonly string[]): Promise<void>;
  /** Sources whose oldest row is older than `ageMs`; for the sweeper. */
  staleSources(tx: Transaction, prefix: string, ageMs: number, sourcesMax: number): Promise<string[]>;
  /** Takes the source's publisher lock until the transaction ends; false: another publisher has it. */
  lockSource(tx: Transaction, source: string): Promise<boolean>;
}

/** A job in hand. `fence` grows with every lease: an older holder changes nothing any more. */
export interface LeasedJob {
  /** Another one for the next job of the same key. */
  readonly id: string;
  readonly queue: string;
  readonly tenantId: string;
  readonly key: string;
  readonly payload: Buffer;
  /** Bytes the holder keeps with the job (search-runner: the encoded search.started); null at first. */
  readonly stored: Buffer | null;
  readonly fence: bigint;
  readonly attempts: number;
  readonly createdAt: Date;
}

export interface NewJob {
  readonly queue: string;
  readonly tenantId: string;
  readonly key: string;
  readonly payload: Buffer;
  /** Not leased before this time. */
  readonly availableAt: Date;
}

/** Leased jobs: long work, timers and deliveries. (queue, tenant, key) is unique: the same job again is dropped. */
export interface JobQueue {
  enqueue(tx: Transaction, jobs: readonly NewJob[]): Promise<void>;
  /** Calls `listener` after a commit of this process that enqueued into the queue; answers how to end that. A hint: polling finds all. */
  onEnqueued?(queue: string, listener: () => void): () => void;
  /** Takes due jobs (never leased, or with an expired lease), oldest first, for `leaseMs`. */
  lease(tx: Transaction, queue: string, jobsMax: number, leaseMs: number): Promise<LeasedJob[]>;
  /** Renews. False: the fence was passed, stop at once. */
  extend(tx: Transaction, job: LeasedJob, leaseMs: number): Promise<boolean>;
  /** Keeps bytes with the job under its fence. False: fenced. */
  store(tx: Transaction, job: LeasedJob, stored: Buffer): Promise<boolean>;
  /** Gives it back for later under its fence. False: fenced. */
  postpone(tx: Transaction, job: LeasedJob, availableAt: Date): Promise<boolean>;
  /** Deletes the job under its fence. False: fenced; whatever the transaction did must be rolled back. */
  settle(tx: Transaction, job: LeasedJob): Promise<boolean>;
  /** Removes an unleased job. */
  cancel(tx: Transaction, queue: string, tenantId: string, key: string): Promise<void>;
}
