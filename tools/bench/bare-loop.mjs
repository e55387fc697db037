import { randomUUID } from 'node:crypto';
import { Kafka, logLevel, Partitioners } from 'kafkajs';

const PARTITIONS = 3;
const SEND_BYTES_MAX = 900_000;
const MESSAGE_OVERHEAD_BYTES = 400;

/**
 * The least that any program over Kafka does: reads questions in batches, publishes what each gave rise to, commits once per batch.
 * @param {import('./main-job.mjs').Machine} machine
 * @param {import('./main-job.mjs').Decision[]} decisions
 * @param {number} round
 * @returns {Promise<number>} decisions per second
 */
export async function benchBareLoop({ brokers }, decisions, round) {
  const kafka = new Kafka({ brokers: brokers.split(','), logLevel: logLevel.NOTHING });
  const topics = await makeTopics(kafka, `bare-${round}`);
  const results = resultsByQuestion(decisions);
  const producer = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner, idempotent: false });
  await producer.connect();
  const consumer = kafka.consumer({ groupId: `bare-${randomUUID()}` });
  await consumer.connect();
  await consumer.subscribe({ topic: topics.questions, fromBeginning: true });
  await produceQuestions(producer, topics.questions, decisions);
  let handled = 0;
  const began = performance.now();
  await new Promise((resolve, reject) => {
    consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error));
    void consumer.run({
      autoCommit: false,
      eachBatch: async ({ batch }) => {
        const messages = batch.messages.flatMap((message) => results.get(String(message.headers?.ce_id)) ?? []);
        for (const part of cut(messages)) await producer.send({ topic: topics.results, acks: -1, messages: part });
        const offset = String(BigInt(batch.lastOffset()) + 1n);
        await consumer.commitOffsets([{ topic: batch.topic, partition: batch.partition, offset }]);
        handled += batch.messages.length;
        if (handled >= decisions.length) resolve(undefined);
      },
    });
  });
  const seconds = (performance.now() - began) / 1000;
  await consumer.disconnect();
  await producer.disconnect();
  return decisions.length / seconds;
}

/** @param {import('kafkajs').Kafka} kafka @param {string} name */
export async function makeTopics(kafka, name) {
  const topics = { questions: `bench.${name}.questions`, results: `bench.${name}.results` };
  const admin = kafka.admin();
  await admin.connect();
  await admin.createTopics({
    waitForLeaders: true,
    topics: Object.values(topics).map((topic) => ({ topic, numPartitions: PARTITIONS, replicationFactor: 1 })),
  });
  await admin.disconnect();
  return topics;
}

/** @param {import('./main-job.mjs').Decision[]} decisions */
export function resultsByQuestion(decisions) {
  return new Map(decisions.map(([question, ...rest]) => [question.headers.ce_id, rest]));
}

/** @param {import('kafkajs').Producer} producer @param {string} topic @param {import('./main-job.mjs').Decision[]} decisions */
export async function produceQuestions(producer, topic, decisions) {
  for (let at = 0; at < decisions.length; at += 500) {
    const messages = decisions.slice(at, at + 500).map(([{ key, value, headers }]) => ({ key, value, headers }));
    await producer.send({ topic, messages });
  }
}

/** A broker takes 1 MB at once by default. @template {{ value: Buffer }} M @param {M[]} messages @returns {M[][]} */
function cut(messages) {
  /** @type {M[][]} */
  const parts = [];
  let bytes = SEND_BYTES_MAX;
  for (const message of messages) {
    bytes += message.value.length + MESSAGE_OVERHEAD_BYTES;
    if (bytes > SEND_BYTES_MAX) {
      parts.push([]);
      bytes = message.value.length + MESSAGE_OVERHEAD_BYTES;
    }
    parts.at(-1)?.push(message);
  }
  return parts;
}
