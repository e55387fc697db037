import type { LogMessage, TopicPartition } from '@lacuna/messaging';
import type { KafkaMessage } from 'kafkajs';

/** A message as kafkajs hands it over. Of a header that comes several times the first counts. */
export function logMessage({ topic, partition }: TopicPartition, message: KafkaMessage): LogMessage {
  const headers: Record<string, Buffer> = {};
  for (const [name, value] of Object.entries(message.headers ?? {})) {
    const first = Array.isArray(value) ? value[0] : value;
    if (first !== undefined && first !== null) headers[name] = Buffer.isBuffer(first) ? first : Buffer.from(first);
  }
  const { key, value, offset, timestamp } = message;
  return { topic, partition, offset: BigInt(offset), key, value, headers, timestampMs: Number(timestamp) };
}
