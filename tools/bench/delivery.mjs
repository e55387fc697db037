import { BatchLoop } from '@lacuna/messaging';
import { KafkaEventLog } from '@lacuna/kafka';
import { migrate, openDatabase, PostgresOutboxStore, PostgresPositionStore, queueMigrations } from '@lacuna/postgres';
import { Kafka, logLevel, Partitioners } from 'kafkajs';
import { makeTopics, produceQuestions, resultsByQuestion } from './bare-loop.mjs';

const quiet = { info() {}, warn() {}, error() {} };

/**
 * The same messages through the batch loop: position row, decoding and validation, outbox row, publication, offset commit. The handler
 * only looks its results up: the difference to the bare loop is what exactly-once effects cost.
 * @param {import('./main-job.mjs').Machine} machine
 * @param {import('./main-job.mjs').Decision[]} decisions
 * @param {number} round
 * @returns {Promise<number>} decisions per second
 */
export async function benchDelivery({ brokers, databaseUrl }, decisions, round) {
  const kafka = new Kafka({ brokers: brokers.split(','), logLevel: logLevel.NOTHING });
  const topics = await makeTopics(kafka, `delivery-${round}`);
  const producer = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner });
  await producer.connect();
  await produceQuestions(producer, topics.questions, decisions);
  await producer.disconnect();
  const database = await openDatabase({ url: databaseUrl, schema: 'bench', applicationName: 'lacuna-bench' });
  await migrate(database, queueMigrations);
  const log = new KafkaEventLog({ brokers: brokers.split(','), clientId: 'bench-delivery', logger: quiet });
  await log.start();
  try {
    return await measure(log, database, topics, decisions, round);
  } finally {
    await log.stop();
    await database.close();
  }
}

/**
 * @param {KafkaEventLog} log
 * @param {import('@lacuna/postgres').PostgresDatabase} database
 * @param {{ questions: string, results: string }} topics
 * @param {import('./main-job.mjs').Decision[]} decisions
 * @param {number} round
 */
async function measure(log, database, topics, decisions, round) {
  const results = resultsByQuestion(decisions);
  let handled = 0;
  /** @type {() => void} */
  let finished = () => undefined;
  const all = new Promise((resolve) => (finished = () => resolve(undefined)));
  /** @type {import('@lacuna/messaging').TopicHandler} */
  const handle = async ({ events }) =>
    events.flatMap((event) => (results.get(event.id) ?? []).map((message) => ({ ...message, topic: topics.results })));
  const loop = new BatchLoop({
    group: `bench-${round}`,
    producer: 'gateway',
    database,
    log,
    positions: new PostgresPositionStore(),
    outbox: new PostgresOutboxStore(),
    handlers: new Map([[topics.questions, handle]]),
    clock: { now: () => new Date() },
    logger: quiet,
  });
  const began = performance.now();
  const consumer = await log.consume({
    group: `bench-delivery-${round}`,
    topics: [topics.questions],
    batchMessagesMax: 500,
    handler: {
      takeOver: (at, bounds) => loop.takeOver(at, bounds),
      handle: async (at, messages) => {
        await loop.handle(at, messages);
        handled += messages.length;
        if (handled >= decisions.length) finished();
      },
      release: (at) => loop.release(at),
    },
    onFatal: (error) => {
      throw error;
    },
  });
  await all;
  const seconds = (performance.now() - began) / 1000;
  await consumer.stop();
  return decisions.length / seconds;
}
