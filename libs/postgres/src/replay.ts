/**
 * Begins a replay of one group's topic, in the caller's transaction.
 *
 * E1 Its position rows are new ones, of the next epoch: whoever owned the partitions is fenced, and takes over anew from there.
 * E2 Tables are emptied in the same transaction: no reader of positions sees an empty table that claims to be up to date.
 * E3 Nothing is skipped: a partition goes back, never forward.
 */
import type { Transaction } from '@lacuna/messaging';
import { quoteName } from './quote-name.js';

export interface Replay {
  readonly group: string;
  readonly topic: string;
  /** Per partition, where to begin. */
  readonly from: ReadonlyMap<number, bigint>;
  /** Emptied first, in the connection's schema. */
  readonly tables: readonly string[];
}

export class ReplayRefusedError extends Error {
  override readonly name = 'ReplayRefusedError';
}

/** A batch in hand ends first, or this ends by its lock timeout. Answers the epoch that has begun. */
export async function beginReplay(tx: Transaction, { group, topic, from, tables }: Replay): Promise<number> {
  const rows = await tx.query<{ partition: number; next_offset: string; epoch: number }>(
    `select partition, next_offset, epoch from position where "group" = $1 and topic = $2 order by partition for update`,
    [group, topic],
  );
  if (rows.length === 0) throw new ReplayRefusedError(`${group} has never read ${topic} in this database: there is nothing to replay`);
  const epoch = Math.max(...rows.map((row) => row.epoch)) + 1;
  if (tables.length > 0) await tx.query(`truncate ${tables.map(quoteName).join(', ')}`);
  await tx.query('delete from position where "group" = $1 and topic = $2', [group, topic]);
  await tx.query(
    `insert into position ("group", topic, partition, next_offset, epoch)
      select $1, $2, p.partition, p.next_offset, $5 from unnest($3::integer[], $4::bigint[]) as p(partition, next_offset)`,
    [group, topic, rows.map((row) => row.partition), rows.map((row) => String(start(row, from))), epoch],
  );
  return epoch;
}

function start(row: { readonly partition: number; readonly next_offset: string }, from: ReadonlyMap<number, bigint>): bigint {
  const position = BigInt(row.next_offset);
  const wanted = from.get(row.partition) ?? position;
  return wanted < position ? wanted : position;
}
