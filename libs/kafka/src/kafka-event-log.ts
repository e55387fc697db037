/** The event log in Kafka: how it runs in production. */
import type { EncodedEvent } from '@lacuna/events';
import { retryDelayMs, waitMs } from '@lacuna/messaging';
import type { ConsumeOptions, EventLog, LogConsumer, LogMessage, TopicPartition, TopicSettings } from '@lacuna/messaging';
import type { Admin, Consumer, Kafka } from 'kafkajs';
import { kafkaClient } from './kafka-client.js';
import { isRetriable, kafkaError } from './kafka-errors.js';
import { KafkaLogConsumer, type Bounds } from './kafka-log-consumer.js';
import { KafkaSender, sendRetry } from './kafka-sender.js';
import type { KafkaSettings } from './kafka-settings.js';
import { createTopics, describeTopics, missingTopics } from './kafka-topics.js';
import { readPartition } from './read-partition.js';
import { SendQueue, sendBounds, type SendBounds } from './send-queue.js';

const FETCH_WAIT_MS = 200;
const SESSION_TIMEOUT_MS = 30_000;
const HEARTBEATS_PER_SESSION = 10;
const BROKER_AWAY_MS_MAX = 300_000;
const ASK_TRIES_MAX = 6;
const ASK_DELAY = { delayMs: 100, delayMsMax: 1_000 };

export class KafkaEventLog implements EventLog {
  readonly technology = 'kafka';
  readonly appendIn = null;
  readonly #kafka: Kafka;
  readonly #sender: KafkaSender;
  readonly #admin: Admin;
  readonly #queue: SendQueue;
  readonly #consumers = new Set<KafkaLogConsumer>();

  constructor(
    private readonly settings: KafkaSettings,
    bounds: SendBounds = sendBounds,
  ) {
    this.#kafka = kafkaClient(settings);
    this.#sender = new KafkaSender(this.#kafka);
    this.#admin = this.#kafka.admin();
    this.#queue = new SendQueue((messages) => this.#sender.send(messages), bounds);
  }

  async start(): Promise<void> {
    await this.#call(() => Promise.all([this.#sender.start(), this.#admin.connect()]));
  }

  publish(messages: readonly EncodedEvent[]): Promise<void> {
    return this.#call(() => this.#queue.publish(messages));
  }

  async consume(options: ConsumeOptions): Promise<LogConsumer> {
    const sessionTimeout = this.settings.sessionTimeoutMs ?? SESSION_TIMEOUT_MS;
    const heartbeatMs = sessionTimeout / HEARTBEATS_PER_SESSION;
    const ending = { isStopping: () => false };
    const kafkaConsumer = this.#consumer(options.group, sessionTimeout, heartbeatMs, ending);
    const { logger } = this.settings;
    const consumer = new KafkaLogConsumer({ consumer: kafkaConsumer, bounds: (at) => this.#bounds(at), logger, heartbeatMs }, options);
    ending.isStopping = () => consumer.isStopping();
    this.#consumers.add(consumer);
    await this.#call(() => consumer.start());
    return consumer;
  }

  ensureTopics(topics: readonly TopicSettings[]): Promise<void> {
    return this.#ask(() => createTopics(this.#admin, topics, this.settings.replicationFactor));
  }

  /** Those of the named topics that are not there. */
  missingTopics(topics: readonly string[]): Promise<string[]> {
    return this.#ask(() => missingTopics(this.#admin, topics));
  }

  /** Those of the named topics that are there, as the cluster has them. `cleanup` may be both of its values, `compact,delete`. */
  describeTopics(topics: readonly string[]): Promise<TopicSettings[]> {
    return this.#ask(() => describeTopics(this.#admin, topics));
  }

  async ends(topic: string): Promise<ReadonlyMap<number, bigint>> {
    const offsets = await this.#ask(() => this.#admin.fetchTopicOffsets(topic));
    return new Map(offsets.map(({ partition, high }) => [partition, BigInt(high)] as const).sort(([a], [b]) => a - b));
  }

  async offsetsSince(topic: string, since: Date): Promise<ReadonlyMap<number, bigint>> {
    const ends = await this.ends(topic);
    const found = await this.#ask(() => this.#admin.fetchTopicOffsetsByTimestamp(topic, since.getTime()));
    return new Map(
      found.map(({ partition, offset }) => [partition, offset === '-1' ? (ends.get(partition) ?? 0n) : BigInt(offset)] as const),
    );
  }

  async read(at: TopicPartition, from: bigint, max: number): Promise<LogMessage[]> {
    const { logStart, logEnd } = await this.#bounds(at);
    const range = { from: from > logStart ? from : logStart, end: logEnd, max };
    return this.#ask(() => readPartition(this.#kafka, at, range));
  }

  async ping(): Promise<void> {
    await this.#call(() => this.#admin.describeCluster());
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#consumers].map((consumer) => consumer.stop()));
    this.#consumers.clear();
    await this.#queue.idle();
    await Promise.all([this.#sender.stop(), this.#admin.disconnect()]);
  }

  #consumer(groupId: string, sessionTimeout: number, heartbeatInterval: number, ending: { isStopping: () => boolean }): Consumer {
    const away = new Absence(this.settings.brokerAwayMsMax ?? BROKER_AWAY_MS_MAX);
    const consumer = this.#kafka.consumer({
      groupId,
      sessionTimeout,
      heartbeatInterval,
      maxWaitTimeInMs: FETCH_WAIT_MS,
      allowAutoTopicCreation: false,
      retry: { ...sendRetry, restartOnFailure: async () => !ending.isStopping() && !away.isTooLong() },
    });
    consumer.on(consumer.events.HEARTBEAT, () => away.ended());
    consumer.on(consumer.events.GROUP_JOIN, () => away.ended());
    return consumer;
  }

  async #bounds({ topic, partition }: TopicPartition): Promise<Bounds> {
    const offsets = await this.#ask(() => this.#admin.fetchTopicOffsets(topic));
    const found = offsets.find((one) => one.partition === partition);
    if (!found) throw new Error(`Kafka has no partition ${topic}/${partition}`);
    return { logStart: BigInt(found.low), logEnd: BigInt(found.high) };
  }

  /** A question to the cluster, asked again while a leader is being made: right after a topic was, or when a broker goes. */
  #ask<T>(work: () => Promise<T>): Promise<T> {
    return this.#call(async () => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await work();
        } catch (error) {
          if (!isRetriable(error) || attempt >= ASK_TRIES_MAX) throw error;
          await waitMs(retryDelayMs(attempt, ASK_DELAY));
        }
      }
    });
  }

  async #call<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw kafkaError(error, this.settings.brokers);
    }
  }
}

/** How long no broker has answered a consumer. */
class Absence {
  #lastAnswerAtMs = performance.now();

  constructor(private readonly msMax: number) {}

  ended(): void {
    this.#lastAnswerAtMs = performance.now();
  }

  isTooLong(): boolean {
    return performance.now() - this.#lastAnswerAtMs > this.msMax;
  }
}
