/** SQL of the Postgres event log: what is appended, what is read. */
import type { EncodedEvent } from '@lacuna/events';
import type { LogMessage, TopicPartition, TopicSettings, Transaction } from '@lacuna/messaging';
import { LOG_CHANNEL } from './log-process.js';
import { daysKept } from './log-retention.js';
import type { PostgresDatabase } from './postgres-database.js';

export interface PlacedEvent {
  readonly partition: number;
  readonly message: EncodedEvent;
}

interface EventRow {
  position: string;
  key: Buffer | null;
  value: Buffer | null;
  headers: Record<string, string>;
  at: Date;
}

/** Draws positions and inserts, heads in sorted order; the caller's transaction does this last. */
export async function append(tx: Transaction, placed: readonly PlacedEvent[]): Promise<void> {
  await tx.query('select lacuna_log.append($1::text[], $2::integer[], $3::bytea[], $4::bytea[], $5::text[]::json[])', [
    placed.map(({ message }) => message.topic),
    placed.map(({ partition }) => partition),
    placed.map(({ message }) => message.key),
    placed.map(({ message }) => message.value),
    placed.map(({ message }) => JSON.stringify(message.headers)),
  ]);
}

/** Wakes the process that reads the log, when this transaction commits. */
export async function notifyReader(tx: Transaction, places: ReadonlySet<string>): Promise<void> {
  await tx.query('select pg_notify($1, place) from unnest($2::text[]) as place', [LOG_CHANNEL, [...places]]);
}

/** How long a topic is kept never changes, so it is asked for once. */
const daysOf = new WeakMap<PostgresDatabase, Map<string, number>>();

/** In the query as a value, so that the planner looks at that class's tables alone. */
async function daysOfTopic(database: PostgresDatabase, topic: string): Promise<number> {
  const known = daysOf.get(database) ?? new Map<string, number>();
  daysOf.set(database, known);
  const found = known.get(topic);
  if (found !== undefined) return found;
  const [row] = await database.query<{ days: number }>('select days from lacuna_log.head where topic = $1 limit 1', [topic]);
  if (row) known.set(topic, row.days);
  return row?.days ?? 0;
}

/** Values of one read, in bytes, at most; a single larger message is read alone. */
const READ_BYTES_MAX = 8_388_608;

export async function readEvents(database: PostgresDatabase, at: TopicPartition, from: bigint, max: number): Promise<LogMessage[]> {
  const days = await daysOfTopic(database, at.topic);
  const rows = await database.query<EventRow>(
    `select position, key, value, headers, at from (
       select *, sum(octet_length(value)) over (order by position) as bytes, row_number() over (order by position) as row from (
         select * from lacuna_log.event where days = $6 and topic = $1 and partition = $2 and position >= $3 order by position limit $4
       ) as few
     ) as counted where bytes <= $5 or row = 1 order by position`,
    [at.topic, at.partition, String(from), max, READ_BYTES_MAX, days],
  );
  return rows.map((row) => ({
    topic: at.topic,
    partition: at.partition,
    offset: BigInt(row.position),
    key: row.key,
    value: row.value,
    headers: Object.fromEntries(Object.entries(row.headers).map(([name, text]) => [name, Buffer.from(text)])),
    timestampMs: row.at.getTime(),
  }));
}

/** End positions (exclusive) by topic and partition. */
export async function readHeads(
  database: Pick<Transaction, 'query'>,
  topics: readonly string[],
): Promise<Map<string, Map<number, bigint>>> {
  const rows = await database.query<{ topic: string; partition: number; next_position: string }>(
    'select topic, partition, next_position from lacuna_log.head where topic = any ($1::text[]) order by topic, partition',
    [topics],
  );
  const heads = new Map<string, Map<number, bigint>>();
  for (const row of rows) {
    const partitions = heads.get(row.topic) ?? new Map<number, bigint>();
    heads.set(row.topic, partitions.set(row.partition, BigInt(row.next_position)));
  }
  return heads;
}

export async function readLogStart(database: PostgresDatabase, at: TopicPartition, end: bigint): Promise<bigint> {
  const [row] = await database.query<{ start: string | null }>(
    'select min(position) as start from lacuna_log.event where days = $3 and topic = $1 and partition = $2',
    [at.topic, at.partition, await daysOfTopic(database, at.topic)],
  );
  return row?.start == null ? end : BigInt(row.start);
}

/** Positions are stamped in their order: the head is locked before the moment is taken. */
export async function readOffsetsSince(database: PostgresDatabase, topic: string, since: Date): Promise<Map<number, bigint>> {
  const rows = await database.query<{ partition: number; since: string }>(
    `select h.partition, coalesce((select min(e.position) from lacuna_log.event e
         where e.days = $2 and e.topic = h.topic and e.partition = h.partition and e.at >= $3), h.next_position) as since
       from lacuna_log.head h where h.topic = $1`,
    [topic, await daysOfTopic(database, topic), since.toISOString()],
  );
  return new Map(rows.map((row) => [row.partition, BigInt(row.since)]));
}

/**
 * Inserts the heads of topics that have none, and the tables their events go to. A topic that is there keeps its number of partitions, which its
 * keys are spread over, and how long it is kept, which says where its events are.
 */
export async function insertHeads(database: PostgresDatabase, topics: readonly TopicSettings[]): Promise<void> {
  const there = await readHeads(
    database,
    topics.map(({ topic }) => topic),
  );
  const missing = topics.filter(({ topic }) => !there.has(topic));
  if (missing.length === 0) return;
  await database.transaction(async (tx) => {
    for (const days of new Set(missing.map(daysKept))) await tx.query('select lacuna_log.make_class($1)', [days]);
    await tx.query(
      `insert into lacuna_log.head (topic, partition, days)
        select t.topic, p, t.days from unnest($1::text[], $2::integer[], $3::integer[]) as t(topic, partitions, days),
            generate_series(0, t.partitions - 1) as p
        where not exists (select from lacuna_log.head h where h.topic = t.topic)
        order by 1, 2 on conflict do nothing`,
      [missing.map((topic) => topic.topic), missing.map((topic) => topic.partitions), missing.map(daysKept)],
    );
  });
}

/** Whether the tables of the log are there. */
export async function logTablesExist(database: PostgresDatabase): Promise<boolean> {
  const [row] = await database.query<{ there: boolean }>(`select to_regclass('lacuna_log.head') is not null as there`);
  return row?.there === true;
}
