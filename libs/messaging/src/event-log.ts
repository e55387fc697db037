/**
 * The port to the event log. Two adapters pass one conformance suite: KafkaEventLog and PostgresEventLog.
 *
 * A producer must give: topic, key, exact value bytes, header values as UTF-8 text.
 * A consumer may rely on: order per (topic, key); at-least-once; bytes unchanged; positions that never go back.
 */
import type { EncodedEvent } from '@lacuna/events';
import type { Transaction } from './database.js';

/** A message as read from the log. Offsets go beyond 2^53: they are bigints. */
export interface LogMessage {
  readonly topic: string;
  readonly partition: number;
  readonly offset: bigint;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: Readonly<Record<string, Buffer>>;
  /** Milliseconds since 1970 as the log stamped it. */
  readonly timestampMs: number;
}

export interface TopicPartition {
  readonly topic: string;
  readonly partition: number;
}

/** What a consumer of one partition does; implemented by BatchLoop, called by the adapters, one call at a time per partition. */
export interface PartitionHandler {
  /** The partition is ours now. Answers the offset to read from. `logStart` and `logEnd` are the log's bounds (end exclusive). */
  takeOver(at: TopicPartition, bounds: { readonly logStart: bigint; readonly logEnd: bigint }): Promise<bigint>;
  /** Messages in order. After it resolves the adapter may commit the offset behind the last one. */
  handle(at: TopicPartition, messages: readonly LogMessage[]): Promise<void>;
  /** Nothing has come for `tickMs`: what happens by time alone. Not while `handle` runs. Its errors are as those of `handle`. */
  tick?(at: TopicPartition): Promise<void>;
  /** The partition is no longer ours. */
  release(at: TopicPartition): void;
}

export const TICK_MS = 5_000;

export interface ConsumeOptions {
  /** Consumer group: one per service. */
  readonly group: string;
  readonly topics: readonly string[];
  readonly handler: PartitionHandler;
  /** Messages per call of `handle`, at most. */
  readonly batchMessagesMax: number;
  /** How often an idle partition is ticked; default `TICK_MS`. */
  readonly tickMs?: number;
  /** The consumer cannot go on (fenced twice, position beyond the log, crashed): the process should end and say why. */
  readonly onFatal: (error: Error) => void;
}

export interface LogConsumer {
  /** True while it is joined and reading. */
  isRunning(): boolean;
  /** Stops taking, finishes what is in hand, leaves the group. */
  stop(): Promise<void>;
}

export interface EventLog {
  readonly technology: 'kafka' | 'postgres';
  /** Connects. @throws a one-line error that names the address when it cannot be reached within the bound. */
  start(): Promise<void>;
  /** Resolves when all are acknowledged by all replicas; order per key is the order given. Cut by bytes and count inside. */
  publish(messages: readonly EncodedEvent[]): Promise<void>;
  /** Appends in the caller's own transaction. Null where the log is not in the caller's database: then the outbox is used. */
  readonly appendIn: ((tx: Transaction, messages: readonly EncodedEvent[]) => Promise<void>) | null;
  consume(options: ConsumeOptions): Promise<LogConsumer>;
  /** Makes the topics that are missing, with `partitions` each. Never called by a running service on its own. */
  ensureTopics(topics: readonly TopicSettings[]): Promise<void>;
  /** Per partition the end offset (exclusive). */
  ends(topic: string): Promise<ReadonlyMap<number, bigint>>;
  /** Per partition the first offset that was stamped at `since` or later; its end where there is none. */
  offsetsSince(topic: string, since: Date): Promise<ReadonlyMap<number, bigint>>;
  /** Reads messages of one partition from an offset, at most `max`; for tools and dead letters, outside any group. */
  read(at: TopicPartition, from: bigint, max: number): Promise<LogMessage[]>;
  ping(): Promise<void>;
  stop(): Promise<void>;
}

export interface TopicSettings {
  readonly topic: string;
  readonly partitions: number;
  readonly cleanup: 'compact' | 'delete';
  /** -1: for ever. */
  readonly retentionMs: number;
}
