/** Reads a part of one partition, outside of any group of ours. */
import { randomUUID } from 'node:crypto';
import type { LogMessage, TopicPartition } from '@lacuna/messaging';
import type { Consumer, EachBatchPayload, Kafka } from 'kafkajs';
import { logMessage } from './log-message.js';

const SILENCE_MS_MAX = 10_000;

export interface ReadRange {
  readonly from: bigint;
  /** Exclusive. */
  readonly end: bigint;
  readonly max: number;
}

/**
 * kafkajs reads in groups only: a group of one member with a name used once, whose other partitions are paused and whose offset is
 * never committed, so that the broker forgets it.
 */
export async function readPartition(kafka: Kafka, at: TopicPartition, range: ReadRange): Promise<LogMessage[]> {
  if (range.from >= range.end || range.max <= 0) return [];
  const consumer = kafka.consumer({ groupId: `lacuna-read-${randomUUID()}`, maxWaitTimeInMs: 100, allowAutoTopicCreation: false });
  try {
    await consumer.connect();
    await consumer.subscribe({ topics: [at.topic], fromBeginning: true });
    return await collect(consumer, at, range);
  } finally {
    await consumer.disconnect();
  }
}

function collect(consumer: Consumer, at: TopicPartition, { from, end, max }: ReadRange): Promise<LogMessage[]> {
  const found: LogMessage[] = [];
  return new Promise((resolve, reject) => {
    const silence = setTimeout(
      () => reject(new Error(`Kafka gave nothing of ${at.topic}/${at.partition} for ${SILENCE_MS_MAX} ms`)),
      SILENCE_MS_MAX,
    );
    const done = (finish: () => void) => {
      clearTimeout(silence);
      finish();
    };
    const eachBatch = async ({ batch, resolveOffset }: EachBatchPayload) => {
      if (batch.partition !== at.partition || found.length >= max) return;
      silence.refresh();
      for (const message of batch.messages) {
        if (found.length < max && BigInt(message.offset) < end) found.push(logMessage(at, message));
      }
      resolveOffset(batch.lastOffset());
      if (found.length >= max || BigInt(batch.lastOffset()) + 1n >= end) done(() => resolve(found));
    };
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
      const others = (payload.memberAssignment[at.topic] ?? []).filter((partition) => partition !== at.partition);
      if (others.length > 0) consumer.pause([{ topic: at.topic, partitions: others }]);
      consumer.seek({ topic: at.topic, partition: at.partition, offset: String(from) });
    });
    consumer.on(consumer.events.CRASH, ({ payload }) => done(() => reject(payload.error)));
    consumer
      .run({ autoCommit: false, eachBatchAutoResolve: false, eachBatch })
      .catch((error: unknown) => done(() => reject(error as Error)));
  });
}
