import { setTimeout as sleep } from 'node:timers/promises';
import { NO_LOG, ServerStartError } from '@lacuna/embedded/child-server';
import { installDebianPackages } from './debian-packages.mjs';
import { dockerKafka } from './kafka/docker-kafka.mjs';
import { findKafka, NoKafkaError, thisMachine } from './kafka/find-kafka.mjs';
import { kafkaJars } from './kafka/kafka-jars.mjs';
import { localKafka } from './kafka/local-kafka.mjs';

export { NoKafkaError };

const READY_WITHIN_MS = 60_000;
const TRIES_MAX = 3;

/**
 * @typedef {object} Kafka
 * @property {string} brokers
 * @property {'external' | 'docker' | 'local'} kind
 * @property {number | null} pid of a local one
 * @property {() => Promise<void>} stop and the data is gone, if it was temporary; an external one goes on
 * @property {() => Promise<void>} kill9
 * @property {() => Promise<void>} restart on the same port and data, and waits until it answers
 */

/** `own`: one that may be killed, so never the external one.
 * @typedef {{ dataFolder?: string, port?: number, extraSettings?: Record<string, string | number | boolean>, own?: boolean, say?: (line: string) => void }} KafkaOptions
 */

/**
 * A Kafka on 127.0.0.1 that answers, and that ends with this process. Throws NoKafkaError where none can be had.
 * @param {KafkaOptions} [options]
 * @returns {Promise<Kafka>}
 */
export async function startKafka({ say = () => undefined, own = false, ...options } = {}) {
  const found = findKafka(thisMachine, { own });
  if (found.kind === 'external') return externalKafka(found.brokers);
  if (found.kind === 'docker') {
    try {
      return await runNode('docker', () => dockerKafka(options), 1);
    } catch (error) {
      say(`Kafka: not with Docker (${/** @type {Error} */ (error).message.split('\n')[0]})`);
    }
  }
  const local = found.kind === 'local' ? found : findKafka(thisMachine, { own: true, withoutDocker: true });
  if (local.kind === 'local' && local.install) await installDebianPackages(['default-jre-headless', 'maven'], say);
  const jars = await kafkaJars(say);
  return runNode('local', () => localKafka(jars, options), options.port === undefined ? TRIES_MAX : 1);
}

/** @param {string} brokers @returns {Promise<Kafka>} */
async function externalKafka(brokers) {
  await untilItAnswers(brokers);
  const refuse = async () => {
    throw new Error(`the Kafka at ${brokers} is not ours to stop: unset KAFKA_BROKERS`);
  };
  return { brokers, kind: 'external', pid: null, stop: async () => undefined, kill9: refuse, restart: refuse };
}

/**
 * @param {'docker' | 'local'} kind
 * @param {() => Promise<import('./kafka/local-kafka.mjs').KafkaNode>} make
 * @param {number} triesMax more than one where the ports are ours to choose: another program may have taken them in between
 * @returns {Promise<Kafka>}
 */
async function runNode(kind, make, triesMax) {
  const node = await make();
  const start = async () => {
    await node.start();
    await untilItAnswers(node.brokers, node);
  };
  try {
    await start();
  } catch (error) {
    const log = await node.log();
    await node.stop().catch(() => undefined);
    await node.remove().catch(() => undefined);
    if (triesMax > 1 && /Address already in use|BindException/.test(log)) return runNode(kind, make, triesMax - 1);
    throw log === NO_LOG ? error : new ServerStartError(`${/** @type {Error} */ (error).message}\nThe end of its log:\n${log}`);
  }
  return {
    brokers: node.brokers,
    kind,
    get pid() {
      return node.pid();
    },
    stop: async () => {
      await node.stop();
      await node.remove();
    },
    kill9: node.kill9,
    restart: async () => {
      await node.stop();
      await start();
    },
  };
}

/**
 * @param {string} brokers
 * @param {Pick<import('./kafka/local-kafka.mjs').KafkaNode, 'ended' | 'clusterId'>} [node]
 */
async function untilItAnswers(brokers, node) {
  const { Kafka, logLevel } = (await import('kafkajs')).default;
  const client = new Kafka({
    brokers: brokers.split(','),
    logLevel: logLevel.NOTHING,
    retry: { retries: 0 },
    connectionTimeout: 1000,
    requestTimeout: 3000,
  });
  const until = Date.now() + READY_WITHIN_MS;
  for (let reason = 'no answer'; ; await sleep(200)) {
    const admin = client.admin();
    try {
      await admin.connect();
      const answer = await admin.describeCluster();
      const clusterId = node?.clusterId();
      if (answer.brokers.length > 0 && (clusterId === undefined || clusterId === answer.clusterId)) return;
    } catch (error) {
      reason = /** @type {Error} */ (error).message;
    } finally {
      await admin.disconnect().catch(() => undefined);
    }
    if (node?.ended()) throw new ServerStartError(`Kafka ended while it started (${node.ended()})`);
    if (Date.now() > until) throw new ServerStartError(`Kafka at ${brokers} did not answer within ${READY_WITHIN_MS / 1000} s: ${reason}`);
  }
}
