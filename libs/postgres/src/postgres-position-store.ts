import type { PositionStore, TopicPartition, Transaction } from '@lacuna/messaging';

/**
 * Position rows of one epoch: the one they were read in. A replay replaces them by rows of the next epoch, so that an owner who has not noticed
 * moves nothing, also when the replay happens to be where that owner was.
 */
export class PostgresPositionStore implements PositionStore {
  readonly #epochs = new Map<string, number>();

  async read(tx: Transaction, group: string, at: TopicPartition): Promise<bigint | null> {
    const [row] = await tx.query<{ next_offset: string; epoch: number }>(
      `select next_offset, epoch from position where "group" = $1 and topic = $2 and partition = $3`,
      [group, at.topic, at.partition],
    );
    if (row) this.#epochs.set(nameOf(group, at), row.epoch);
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
    const epoch = this.#epochs.get(nameOf(group, at)) ?? 0;
    const rows = await tx.query(
      `update position set next_offset = $5, updated_at = clock_timestamp()
        where "group" = $1 and topic = $2 and partition = $3 and next_offset = $4 and epoch = $6 returning 1`,
      [group, at.topic, at.partition, String(from), String(to), epoch],
    );
    return rows.length === 1;
  }
}

function nameOf(group: string, at: TopicPartition): string {
  return `${group}:${at.topic}/${at.partition}`;
}
