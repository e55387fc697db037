/**
 * The event log in PostgreSQL tables: the embedded default.
 *
 * G1 A message is visible when its transaction commits, and positions of a partition become visible in their order (log-migrations.ts).
 * G2 Wake-ups come after the commit: inside this process in memory, from others by NOTIFY. A lost one costs a poll, never a message.
 * G3 A topic's number of partitions is fixed when it is made: a key keeps its partition. So is how long it is kept (log-retention.ts).
 * G4 One process reads a log (log-process.ts). Any may append, and read outside a group.
 */
import type { EncodedEvent } from '@lacuna/events';
import type { ConsumeOptions, EventLog, LogConsumer, LogMessage, TopicPartition, TopicSettings, Transaction } from '@lacuna/messaging';
import { InProcessSignal } from './in-process-signal.js';
import { joinLog, readsLogOf } from './log-process.js';
import { LogRetention, tidyLog } from './log-retention.js';
import {
  append,
  insertHeads,
  logTablesExist,
  notifyReader,
  type PlacedEvent,
  readEvents,
  readHeads,
  readOffsetsSince,
} from './log-tables.js';
import { partitionOf } from './murmur2.js';
import { PostgresTransaction, type PostgresDatabase } from './postgres-database.js';
import { PostgresLogConsumer } from './postgres-log-consumer.js';

const PUBLISH_MESSAGES_MAX = 1_000;
const PUBLISH_BYTES_MAX = 8_388_608;

const appended = new InProcessSignal();

export class PostgresEventLog implements EventLog {
  readonly technology = 'postgres';
  readonly #partitions = new Map<string, number>();
  readonly #consumers = new Set<PostgresLogConsumer>();

  readonly #retention: LogRetention;

  constructor(private readonly database: PostgresDatabase) {
    this.#retention = new LogRetention(database);
  }

  async start(): Promise<void> {
    await this.database.ping();
    if (!(await logTablesExist(this.database)))
      throw new Error(`the database at ${this.database.address} has no event log: run its migrations (migrateLog)`);
  }

  async publish(messages: readonly EncodedEvent[]): Promise<void> {
    for (const part of cut(messages)) await this.database.transaction((tx) => this.appendIn(tx, part));
  }

  readonly appendIn = async (tx: Transaction, messages: readonly EncodedEvent[]): Promise<void> => {
    if (messages.length === 0) return;
    const placed = await this.#place(tx, messages);
    await append(tx, placed);
    if (!readsLogOf(this.database.settings.url))
      await notifyReader(tx, new Set(placed.map(({ partition, message }) => `${message.topic}/${partition}`)));
    if (!(tx instanceof PostgresTransaction)) return;
    const subjects = new Set(placed.map(({ partition, message }) => this.#subject({ topic: message.topic, partition })));
    tx.afterCommit(() => subjects.forEach((subject) => appended.raise(subject)));
  };

  async consume(options: ConsumeOptions): Promise<LogConsumer> {
    const heads = await readHeads(this.database, options.topics);
    const partitions = options.topics.flatMap((topic) => [...this.#known(heads, topic).keys()].map((partition) => ({ topic, partition })));
    const { url } = this.database.settings;
    const leave = await joinLog(url, appended, (error) => consumer.end(error));
    const listen = (at: TopicPartition, wake: () => void) => appended.listen(this.#subject(at), wake);
    const consumer = new PostgresLogConsumer(this.database, partitions, { ...options, leave }, listen);
    this.#retention.start();
    this.#consumers.add(consumer);
    consumer.start();
    return consumer;
  }

  async ensureTopics(topics: readonly TopicSettings[]): Promise<void> {
    await insertHeads(this.database, topics);
    await tidyLog(this.database, new Date()).catch(() => []);
  }

  async ends(topic: string): Promise<ReadonlyMap<number, bigint>> {
    return this.#known(await readHeads(this.database, [topic]), topic);
  }

  async offsetsSince(topic: string, since: Date): Promise<ReadonlyMap<number, bigint>> {
    this.#known(await readHeads(this.database, [topic]), topic);
    return readOffsetsSince(this.database, topic, since);
  }

  read(at: TopicPartition, from: bigint, max: number): Promise<LogMessage[]> {
    return readEvents(this.database, at, from, max);
  }

  ping(): Promise<void> {
    return this.database.ping();
  }

  /** Stops its consumers. The database is its opener's to close. */
  async stop(): Promise<void> {
    this.#retention.stop();
    await Promise.all([...this.#consumers].map((consumer) => consumer.stop()));
    this.#consumers.clear();
  }

  async #place(tx: Transaction, messages: readonly EncodedEvent[]): Promise<PlacedEvent[]> {
    const unknown = [...new Set(messages.map((message) => message.topic))].filter((topic) => !this.#partitions.has(topic));
    if (unknown.length > 0) {
      const heads = await readHeads(tx, unknown);
      for (const topic of unknown) this.#partitions.set(topic, this.#known(heads, topic).size);
    }
    return messages.map((message) => ({ message, partition: partitionOf(message.key, this.#partitions.get(message.topic) ?? 1) }));
  }

  #known(heads: ReadonlyMap<string, Map<number, bigint>>, topic: string): Map<number, bigint> {
    const partitions = heads.get(topic);
    if (!partitions) throw new MissingTopicError(topic);
    return partitions;
  }

  #subject(at: TopicPartition): string {
    return `${this.database.address}/${at.topic}/${at.partition}`;
  }
}

export class MissingTopicError extends Error {
  override readonly name = 'MissingTopicError';
  constructor(topic: string) {
    super(`the event log has no topic "${topic}": make it with ensureTopics (no topic is made by itself)`);
  }
}

/** Parts in order, each within the bounds of one insert. */
function* cut(messages: readonly EncodedEvent[]): Generator<EncodedEvent[]> {
  let part: EncodedEvent[] = [];
  let bytes = 0;
  for (const message of messages) {
    const size = message.key.length + message.value.length;
    if (part.length > 0 && (part.length >= PUBLISH_MESSAGES_MAX || bytes + size > PUBLISH_BYTES_MAX)) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(message);
    bytes += size;
  }
  if (part.length > 0) yield part;
}
