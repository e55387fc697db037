import type { PositionStore, TopicPartition, Transaction } from '@lacuna/messaging';

export class PostgresPositionStore implements PositionStore {
  async read(tx: Transaction, group: string, at: TopicPartition): Promise<bigint | null> {
    const [row] = await tx.query<{ next_offset: string }>(
      `select next_offset from position where "group" = $1 and topic = $2 and partition = $3`,
      [group, at.topic, at.partition],
    );
    return row ? BigInt(row.next_offset) : null;
  }

  async begin(tx: Transaction, group: string, at: TopicPartition, offset: bigint): Promise<void> {
    await tx.query(`insert into position ("group", topic, partition, next_offset) values ($1, $2, $3, $4) on conflict do nothing`, [
      group,
      at.topic,
      at.partition,
      String(offset),
    ]);
  }

  async advance(tx: Transaction, group: string, at: TopicPartition, from: bigint, to: bigint): Promise<boolean> {
    const rows = await tx.query(
      `update position set next_offset = $5, updated_at = clock_timestamp()
        where "group" = $1 and topic = $2 and partition = $3 and next_offset = $4 returning 1`,
      [group, at.topic, at.partition, String(from), String(to)],
    );
    return rows.length === 1;
  }
}
