import type { LogMessage, ParkedKey, ParkingStore, StalledKey, TopicPartition, Transaction } from '@lacuna/messaging';
import { packEvents, unpackEvents } from './outbox-codec.js';

interface ParkedRow {
  readonly topic: string;
  readonly partition: number;
  readonly message_offset: string;
  readonly key: Buffer;
  readonly has_key: boolean;
  readonly has_value: boolean;
  readonly message: Buffer;
  readonly stamped_at: Date;
}

export class PostgresParkingStore implements ParkingStore {
  stalled(tx: Transaction, group: string, topic: string): Promise<StalledKey[]> {
    return tx.query<StalledKey & object>(
      `select encode(key, 'hex') as key, message from stalled_key where "group" = $1 and topic = $2 order by key, message`,
      [group, topic],
    );
  }

  async stall(tx: Transaction, group: string, topic: string, stalled: readonly StalledKey[]): Promise<void> {
    await tx.query(
      `insert into stalled_key ("group", topic, key, message)
       select $1, $2, decode(s.key, 'hex'), s.message from unnest($3::text[], $4::text[]) as s (key, message) order by 3, 4
       on conflict do nothing`,
      [group, topic, stalled.map(({ key }) => key), stalled.map(({ message }) => message)],
    );
  }

  async release(tx: Transaction, group: string, topic: string, released: readonly StalledKey[]): Promise<void> {
    await tx.query(
      `delete from stalled_key k using unnest($3::text[], $4::text[]) as r (key, message)
        where k."group" = $1 and k.topic = $2 and k.key = decode(r.key, 'hex') and k.message = r.message`,
      [group, topic, released.map(({ key }) => key), released.map(({ message }) => message)],
    );
  }

  async parkedKeys(tx: Transaction, group: string, at: TopicPartition): Promise<ParkedKey[]> {
    const rows = await tx.query<{ key: string; count: number; oldest: Date }>(
      `select encode(key, 'hex') as key, count(*)::int as count, min(parked_at) as oldest from parked_message
        where "group" = $1 and topic = $2 and partition = $3 group by key order by min(message_offset)`,
      [group, at.topic, at.partition],
    );
    return rows.map(({ key, count, oldest }) => ({ key, count, oldestParkedAtMs: oldest.getTime() }));
  }

  async park(tx: Transaction, group: string, messages: readonly LogMessage[], now: Date): Promise<void> {
    await tx.query(
      `insert into parked_message ("group", topic, partition, message_offset, key, has_key, has_value, message, stamped_at, parked_at)
       select $1, p.topic, p.partition, p.message_offset, p.key, p.has_key, p.has_value, p.message, p.stamped_at, $10
         from unnest($2::text[], $3::int[], $4::bigint[], $5::bytea[], $6::boolean[], $7::boolean[], $8::bytea[], $9::timestamptz[])
           as p (topic, partition, message_offset, key, has_key, has_value, message, stamped_at)`,
      [
        group,
        messages.map(({ topic }) => topic),
        messages.map(({ partition }) => partition),
        messages.map(({ offset }) => String(offset)),
        messages.map(({ key }) => key ?? Buffer.alloc(0)),
        messages.map(({ key }) => key !== null),
        messages.map(({ value }) => value !== null),
        messages.map(packed),
        messages.map(({ timestampMs }) => new Date(timestampMs)),
        now,
      ],
    );
  }

  async parked(tx: Transaction, group: string, at: TopicPartition, key: string, max: number, parkedBefore?: Date): Promise<LogMessage[]> {
    const rows = await tx.query<ParkedRow>(
      `select topic, partition, message_offset, key, has_key, has_value, message, stamped_at from parked_message
        where "group" = $1 and topic = $2 and partition = $3 and key = decode($4, 'hex') and ($6::timestamptz is null or parked_at < $6)
        order by message_offset limit $5`,
      [group, at.topic, at.partition, key, max, parkedBefore ?? null],
    );
    return rows.map(unpacked);
  }

  async unpark(tx: Transaction, group: string, messages: readonly LogMessage[]): Promise<void> {
    if (messages.length === 0) return;
    await tx.query(
      `delete from parked_message m using unnest($2::text[], $3::int[], $4::bigint[]) as u (topic, partition, message_offset)
        where m."group" = $1 and m.topic = u.topic and m.partition = u.partition and m.message_offset = u.message_offset`,
      [group, messages.map(({ topic }) => topic), messages.map(({ partition }) => partition), messages.map(({ offset }) => String(offset))],
    );
  }
}

/** As the outbox keeps events, with headers as base64: they may be no text. */
function packed({ topic, key, value, headers }: LogMessage): Buffer {
  const encoded = Object.entries(headers).map(([name, bytes]) => [name, bytes.toString('base64')]);
  return packEvents([
    { topic, key: key ?? Buffer.alloc(0), value: value ?? Buffer.alloc(0), headers: Object.fromEntries(encoded) as Record<string, string> },
  ]);
}

function unpacked(row: ParkedRow): LogMessage {
  const [event] = unpackEvents(row.message);
  if (!event) throw new Error(`the parked message ${row.topic}/${row.partition}/${row.message_offset} is empty`);
  return {
    topic: row.topic,
    partition: row.partition,
    offset: BigInt(row.message_offset),
    key: row.has_key ? event.key : null,
    value: row.has_value ? event.value : null,
    headers: Object.fromEntries(Object.entries(event.headers).map(([name, text]) => [name, Buffer.from(text, 'base64')])),
    timestampMs: row.stamped_at.getTime(),
  };
}
