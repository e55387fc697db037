import type { TopicPartition } from '@lacuna/messaging';

/** A partition that the group has given to this consumer. A new one is made at every join. */
export class OwnedPartition {
  /** Offset that the next batch must have been fetched from; null: being taken over, nothing is handled. */
  next: bigint | null = null;
  failuresInRow = 0;
  fencedInRow = 0;
  /** A jump from this offset was looked into: records there were filtered, none was lost. */
  jumpExplainedAt: bigint | null = null;
  isHandling = false;
  /** Null: no tick is on its way. */
  ticking: Promise<void> | null = null;
  /** What is being done with it; the partition's next owner object waits for that. */
  busy: Promise<void>;

  constructor(
    readonly at: TopicPartition,
    predecessor: Promise<void>,
  ) {
    this.busy = predecessor;
  }

  get name(): string {
    return nameOf(this.at);
  }
}

export function nameOf(at: TopicPartition): string {
  return `${at.topic}/${at.partition}`;
}
