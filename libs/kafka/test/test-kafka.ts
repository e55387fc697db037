/** The Kafka of the test run, and what specs do with it. */
import { randomUUID } from 'node:crypto';
import type { EncodedEvent } from '@lacuna/events';
import type { DeliveryLogger, LogMessage, PartitionHandler, TopicPartition } from '@lacuna/messaging';
import { KafkaEventLog } from '../src/kafka-event-log.js';
import type { KafkaSettings } from '../src/kafka-settings.js';

/** Empty where no Kafka can be had. */
export function testBrokers(): string[] {
  return (process.env.LACUNA_TEST_KAFKA_BROKERS ?? '').split(',').filter((broker) => broker !== '');
}

export const quiet: DeliveryLogger = { info: () => undefined, warn: () => undefined, error: () => undefined };

export function kafkaLog(brokers: readonly string[], settings: Partial<KafkaSettings> = {}): KafkaEventLog {
  return new KafkaEventLog({ brokers, clientId: 'test', logger: quiet, sessionTimeoutMs: 6_000, ...settings });
}

export const freshName = (name: string) => `${name}-${randomUUID()}`;

export async function freshTopic(log: KafkaEventLog, partitions = 3): Promise<string> {
  const topic = freshName('test');
  await log.ensureTopics([{ topic, partitions, cleanup: 'delete', retentionMs: -1 }]);
  return topic;
}

export function message(topic: string, key: string, text: string): EncodedEvent {
  return { topic, key: Buffer.from(key), value: Buffer.from(text), headers: { ce_type: 'test' } };
}

/** Keeps positions in memory, as the database would, and notes what it is asked to do. */
export class NotingHandler implements PartitionHandler {
  readonly positions = new Map<string, bigint>();
  readonly takenOver: string[] = [];
  readonly released: string[] = [];
  readonly handled: LogMessage[] = [];
  /** Runs before a batch counts as handled. */
  before: (messages: readonly LogMessage[]) => Promise<void> | void = () => undefined;

  async takeOver(at: TopicPartition, { logStart }: { readonly logStart: bigint }): Promise<bigint> {
    this.takenOver.push(nameOf(at));
    return this.positions.get(nameOf(at)) ?? logStart;
  }

  async handle(at: TopicPartition, messages: readonly LogMessage[]): Promise<void> {
    await this.before(messages);
    this.handled.push(...messages);
    this.positions.set(nameOf(at), (messages.at(-1)?.offset ?? -1n) + 1n);
  }

  release(at: TopicPartition): void {
    this.released.push(nameOf(at));
  }

  texts(): string[] {
    return this.handled.map(({ value }) => String(value));
  }
}

const nameOf = (at: TopicPartition) => `${at.topic}/${at.partition}`;

export async function until(what: string, isSo: () => boolean | Promise<boolean>, elapsedMsMax = 30_000): Promise<void> {
  const endsAt = Date.now() + elapsedMsMax;
  while (!(await isSo())) {
    if (Date.now() > endsAt) throw new Error(`not within ${elapsedMsMax} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
