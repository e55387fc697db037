/**
 * Sends one request at a time through an idempotent kafkajs producer: a retry inside of a request neither doubles nor reorders.
 *
 * P1 A producer is thrown away after a failed request. Its sequence numbers are then unknown: reused, the broker would take the next
 *    message for a repetition, acknowledge it, and drop it.
 * P2 A request has succeeded when every partition in it was answered. kafkajs asks a broker only once per request: a partition whose
 *    leader moves to a broker that has answered already is never sent, and kafkajs reports success.
 */
import type { EncodedEvent } from '@lacuna/events';
import { Partitioners, type ICustomPartitioner, type Kafka, type Producer, type RecordMetadata, type TopicMessages } from 'kafkajs';

const ALL_REPLICAS = -1;
const SEND_MS_MAX = 15_000;
export const sendRetry = { initialRetryTime: 100, maxRetryTime: 2_000, retries: 8 } as const;

export class KafkaSender {
  #producer: Producer | null = null;
  /** Partitions that the request in hand was spread over. */
  readonly #spreadOver = new Set<string>();

  constructor(private readonly kafka: Kafka) {}

  async start(): Promise<void> {
    this.#producer ??= await this.#connect();
  }

  async send(messages: readonly EncodedEvent[]): Promise<void> {
    try {
      this.#producer ??= await this.#connect();
      this.#spreadOver.clear();
      const answers = await this.#producer.sendBatch({ topicMessages: byTopic(messages), acks: ALL_REPLICAS, timeout: SEND_MS_MAX });
      assertAllAnswered(this.#spreadOver, answers);
    } catch (error) {
      void this.stop().catch(() => undefined);
      throw error;
    }
  }

  async stop(): Promise<void> {
    const producer = this.#producer;
    this.#producer = null;
    await producer?.disconnect();
  }

  async #connect(): Promise<Producer> {
    const createPartitioner = this.#notingPartitioner;
    const producer = this.kafka.producer({ createPartitioner, allowAutoTopicCreation: false, idempotent: true, retry: sendRetry });
    await producer.connect();
    return producer;
  }

  /** Java's default: murmur2 of the key. */
  readonly #notingPartitioner: ICustomPartitioner = () => {
    const partitionOf = Partitioners.DefaultPartitioner();
    return (message) => {
      const partition = partitionOf(message);
      this.#spreadOver.add(`${message.topic}/${partition}`);
      return partition;
    };
  };
}

/** @throws when a partition of the request has no answer (P2). */
export function assertAllAnswered(
  expected: ReadonlySet<string>,
  answers: readonly Pick<RecordMetadata, 'topicName' | 'partition'>[],
): void {
  const answered = new Set(answers.map(({ topicName, partition }) => `${topicName}/${partition}`));
  const unanswered = [...expected].filter((name) => !answered.has(name));
  if (unanswered.length > 0) throw new UnansweredPartitionError(unanswered);
}

/** A leader moved during the request: some messages may not have been sent. */
export class UnansweredPartitionError extends Error {
  override readonly name = 'UnansweredPartitionError';
  constructor(partitions: readonly string[]) {
    super(`Kafka did not acknowledge ${partitions.join(', ')}: a leader moved during the request`);
  }
}

function byTopic(messages: readonly EncodedEvent[]): TopicMessages[] {
  const topics = new Map<string, TopicMessages>();
  for (const { topic, key, value, headers } of messages) {
    const sameTopic = topics.get(topic) ?? { topic, messages: [] };
    topics.set(topic, sameTopic);
    sameTopic.messages.push({ key, value, headers: { ...headers } });
  }
  return [...topics.values()];
}
