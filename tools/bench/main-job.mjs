import { randomUUID } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { lookupIndexes, registersFolder, sourceVariables } from '@lacuna/embedded';
import { encodeEvent, events, topics } from '@lacuna/events';
import { KafkaEventLog } from '@lacuna/kafka';
import { chooseQuestions, loadSample, startSampleSource } from '@lacuna/sample-source';
import { Kafka, logLevel } from 'kafkajs';
import { startCluster } from '../cluster/start-cluster.mjs';

/**
 * @typedef {{ brokers: string, databaseUrl: string, folder: string, say: (line: string) => void }} Machine
 * @typedef {import('@lacuna/events').EncodedEvent} Message
 * @typedef {[Message, ...Message[]]} Decision
 * @typedef {object} MainJob
 * @property {number} decisions
 * @property {number} perSecond from the first question in the log to the last verdict in the log
 * @property {number} messagesPerDecision
 * @property {Decision[]} messages per decision, the question first
 * @property {Record<string, number>} processorMsPerDecision user and system time by process
 */

const SAMPLE_ROWS = 20_000;
const DONE_WITHIN_MS = 600_000;
const QUIET_MS = 3_000;

/**
 * Questions straight into the log, as an intake stream gives them; exact lookups in PostgreSQL; half of them match.
 * @param {Machine} machine
 * @param {number} decisions
 * @returns {Promise<MainJob>}
 */
export async function benchMainJob({ brokers, databaseUrl, folder, say }, decisions) {
  await loadSample(databaseUrl, { rows: SAMPLE_ROWS, extraStatements: lookupIndexes() });
  const source = await startSampleSource({ databaseUrl });
  const sources = sourceVariables(databaseUrl, source.url);
  const egress = [new URL(source.url).host];
  const cluster = await startCluster({ folder, brokers, databaseUrl, registers: registersFolder, sources, egress });
  const log = new KafkaEventLog({ brokers: brokers.split(','), clientId: 'lacuna-bench', logger: { info() {}, warn() {}, error() {} } });
  try {
    await log.start();
    const asked = await questions(databaseUrl, await registerHash(brokers), decisions);
    const counting = await countVerdicts(brokers, decisions);
    const before = processorMs(cluster);
    const began = performance.now();
    await log.publish(asked);
    await counting.done;
    const seconds = (performance.now() - began) / 1000;
    const after = processorMs(cluster);
    say(`  ${decisions} verdicts in ${seconds.toFixed(1)} s`);
    await counting.stop();
    const messages = await messagesOf(brokers, asked);
    const total = messages.reduce((sum, list) => sum + list.length, 0);
    const spent = Object.entries(after).map(([name, ms]) => [name, Math.round(((ms - (before[name] ?? 0)) / decisions) * 100) / 100]);
    return {
      decisions,
      perSecond: decisions / seconds,
      messagesPerDecision: Math.round((total / decisions) * 10) / 10,
      messages,
      processorMsPerDecision: Object.fromEntries(spent),
    };
  } finally {
    await log.stop();
    await cluster.stop();
    await source.stop();
  }
}

/** @param {string} databaseUrl @param {string} registerHash @param {number} count */
async function questions(databaseUrl, registerHash, count) {
  const { present, absent } = await chooseQuestions(databaseUrl, { count: Math.min(500, Math.ceil(count / 2)), seed: 3 });
  const chosen = [...present, ...absent];
  const at = new Date().toISOString();
  return Array.from({ length: count }, (_, index) => {
    const { account, reference, instance } = /** @type {import('@lacuna/sample-source').AskedIdentifiers} */ (
      chosen[index % chosen.length]
    );
    const identifiers = Object.entries({ account, reference, instance }).map(([name, value]) => ({
      name,
      value,
      provenance: /** @type {const} */ ('system'),
    }));
    return encodeEvent(
      events.questionAsked,
      {
        tenantId: 'default',
        questionId: `q_${randomUUID()}`,
        registerName: 'service-requests',
        registerHash,
        kind: 'exists',
        identifiers,
        principal: 'bench',
        budget: { pagesMax: 100, recordsMax: 100_000, bytesMax: 100_000_000, elapsedMsMax: 60_000 },
        intent: { kind: 'none', payload: null, payloadHash: null },
        askedAt: at,
        needsAsOf: new Date(Date.parse(at) - 1_000).toISOString(),
      },
      'gateway',
    );
  });
}

/** The version that gateway published at its start. @param {string} brokers */
async function registerHash(brokers) {
  for (const { value } of await readAll(brokers, topics.registers)) {
    const register = JSON.parse(value.toString());
    if (register.registerName === 'service-requests') return register.registerHash;
  }
  throw new Error('gateway published no register service-requests');
}

/** @param {string} brokers @param {number} expected */
async function countVerdicts(brokers, expected) {
  const consumer = new Kafka({ brokers: brokers.split(','), logLevel: logLevel.NOTHING }).consumer({ groupId: `bench-${randomUUID()}` });
  await consumer.connect();
  await consumer.subscribe({ topic: topics.verdicts, fromBeginning: true });
  /** @type {Set<string>} */
  const seen = new Set();
  const done = new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error(`${seen.size} of ${expected} verdicts within ${DONE_WITHIN_MS / 1000} s`)), DONE_WITHIN_MS).unref();
    void consumer.run({
      eachBatch: async ({ batch }) => {
        for (const message of batch.messages) seen.add(String(message.headers?.ce_id));
        if (seen.size >= expected) resolve(undefined);
      },
    });
  });
  await joined(consumer);
  return { done, stop: () => consumer.disconnect() };
}

/** @param {import('kafkajs').Consumer} consumer */
function joined(consumer) {
  return new Promise((resolve) => consumer.on(consumer.events.GROUP_JOIN, resolve));
}

/** What the log holds of each question, the question first. @param {string} brokers @param {import('@lacuna/events').EncodedEvent[]} asked */
async function messagesOf(brokers, asked) {
  /** @type {Map<string, Decision>} */
  const byQuestion = new Map(asked.map((event) => [JSON.parse(event.value.toString()).questionId, [event]]));
  for (const topic of [topics.searches, topics.verdicts, topics.receipts, topics.writes]) {
    for (const message of await readAll(brokers, topic)) byQuestion.get(JSON.parse(message.value.toString()).questionId)?.push(message);
  }
  return [...byQuestion.values()];
}

/** @param {string} brokers @param {string} topic @returns {Promise<Message[]>} */
async function readAll(brokers, topic) {
  const consumer = new Kafka({ brokers: brokers.split(','), logLevel: logLevel.NOTHING }).consumer({ groupId: `bench-${randomUUID()}` });
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  /** @type {Message[]} */
  const messages = [];
  let last = performance.now() + QUIET_MS;
  await consumer.run({
    eachBatch: async ({ batch }) => {
      last = performance.now();
      for (const { key, value, headers } of batch.messages) {
        const texts = Object.fromEntries(Object.entries(headers ?? {}).map(([name, text]) => [name, String(text)]));
        messages.push({ topic, key: key ?? Buffer.alloc(0), value: value ?? Buffer.alloc(0), headers: texts });
      }
    },
  });
  while (performance.now() - last < QUIET_MS) await new Promise((resolve) => setTimeout(resolve, 100));
  await consumer.disconnect();
  return messages;
}

/** User and system time of each service so far. @param {import('../cluster/start-cluster.mjs').Cluster} cluster @returns {Record<string, number>} */
function processorMs(cluster) {
  const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  return Object.fromEntries(
    Object.values(cluster.services).map((service) => {
      const fields = (readFileSync(`/proc/${service.pid()}/stat`, 'utf8').split(') ')[1] ?? '').split(' ');
      return [service.name, ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond];
    }),
  );
}
