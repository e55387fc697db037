import type { EncodedEvent } from '@lacuna/events';
import type { OutboxStore, Transaction } from '@lacuna/messaging';
import { packEvents, unpackEvents } from './outbox-codec.js';

/** Advisory locks of publishers; the second half of the key is the source's hash. Two sources with one hash only wait for each other. */
const PUBLISHER_LOCKS = 0x4c61;

export class PostgresOutboxStore implements OutboxStore {
  async replace(tx: Transaction, source: string, events: readonly EncodedEvent[]): Promise<void> {
    if (events.length === 0) {
      await tx.query('delete from outbox where source = $1', [source]);
      return;
    }
    await tx.query('with gone as (delete from outbox where source = $1) insert into outbox (source, events) values ($1, $2)', [
      source,
      packEvents(events),
    ]);
  }

  async add(tx: Transaction, source: string, events: readonly EncodedEvent[]): Promise<string> {
    const [row] = await tx.query<{ id: string }>('insert into outbox (source, events) values ($1, $2) returning id', [
      source,
      packEvents(events),
    ]);
    if (!row) throw new Error('the outbox answered no id');
    return row.id;
  }

  async pending(tx: Transaction, source: string, rowsMax: number): Promise<{ id: string; events: EncodedEvent[] }[]> {
    const rows = await tx.query<{ id: string; events: Buffer }>(
      'select id, events from outbox where source = $1 order by outbox.id limit $2',
      [source, rowsMax],
    );
    return rows.map((row) => ({ id: row.id, events: unpackEvents(row.events) }));
  }

  async remove(tx: Transaction, ids: readonly string[]): Promise<void> {
    await tx.query('delete from outbox where id = any ($1::bigint[])', [ids]);
  }

  async staleSources(tx: Transaction, prefix: string, ageMs: number, sourcesMax: number): Promise<string[]> {
    const rows = await tx.query<{ source: string }>(
      `select source from outbox where starts_with(source, $1) group by source
        having min(created_at) <= clock_timestamp() - $2 * interval '1 ms' order by min(created_at) limit $3`,
      [prefix, ageMs, sourcesMax],
    );
    return rows.map((row) => row.source);
  }

  async lockSource(tx: Transaction, source: string): Promise<boolean> {
    const [row] = await tx.query<{ locked: boolean }>(
      `select pg_try_advisory_xact_lock($1, hashtext(current_schema() || '/' || $2)) as locked`,
      [PUBLISHER_LOCKS, source],
    );
    return row?.locked === true;
  }
}
