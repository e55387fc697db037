import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { gatewayDefinition } from '@lacuna/gateway';
import { KafkaEventLog } from '@lacuna/kafka';
import { notifier } from '@lacuna/notifier';
import { allTopics } from '@lacuna/runtime';
import { searchRunner } from '@lacuna/search-runner';
import { verdict } from '@lacuna/verdict';
import { writeGuard } from '@lacuna/write-guard';
import { serviceProcess } from './service-process.mjs';

/** In the order in which they start: write-guard before search-runner, which reads its slots; gateway last. */
const definitions = [writeGuard, verdict, notifier, searchRunner, gatewayDefinition];

/**
 * @typedef {object} ClusterOptions
 * @property {string} folder logs, and the signing key
 * @property {string} brokers
 * @property {string} databaseUrl
 * @property {Record<string, string>} sources variables that the registers name
 * @property {string} registers folder of the register files
 * @property {string[]} egress host:port
 * @property {{ url: string, secret: string }} [webhook]
 * @property {number} [port] of the gateway
 * @property {string} [tenants]
 * @property {Record<string, Record<string, string>>} [more] variables of single services, by name
 * @property {number} [sessionTimeoutMs] after which a killed service's partitions go to its successor
 * @property {(line: string) => void} [say]
 */

/**
 * @typedef {object} Cluster
 * @property {string} url of the gateway
 * @property {string} publicKeyFile
 * @property {Record<string, import('./service-process.mjs').ServiceProcess>} services by name
 * @property {() => Promise<void>} stop
 */

/**
 * The five services as five processes on this machine, over a Kafka and a PostgreSQL that run already. Makes the missing topics.
 * @param {ClusterOptions} options
 * @returns {Promise<Cluster>}
 */
export async function startCluster(options) {
  const { folder, say = () => undefined } = options;
  mkdirSync(folder, { recursive: true });
  await makeTopics(options.brokers);
  const environment = environmentOf(options);
  /** @type {Cluster['services']} */
  const services = {};
  const stop = async () => {
    for (const service of Object.values(services).reverse()) await service.stop();
  };
  try {
    for (const { name } of definitions) {
      const port = name === 'gateway' ? options.port : undefined;
      const service = await serviceProcess(name, { folder, environment: { ...environment, ...options.more?.[name] }, port });
      services[name] = service;
      if (name === 'write-guard') environment.LACUNA_WRITE_GUARD_URL = service.url;
      await service.start();
      say(`${name}: process ${service.pid()}, ${service.url}`);
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: services.gateway?.url ?? '', publicKeyFile: keyFile(folder) + '.pub', services, stop };
}

/** @param {string} brokers */
async function makeTopics(brokers) {
  const quiet = () => undefined;
  const logger = { info: quiet, warn: quiet, error: quiet };
  const log = new KafkaEventLog({ brokers: brokers.split(','), clientId: 'lacuna-cluster', logger });
  await log.start();
  try {
    await log.ensureTopics(allTopics(definitions, 3));
  } finally {
    await log.stop();
  }
}

/** @param {ClusterOptions} options @returns {Record<string, string>} */
function environmentOf({ folder, brokers, databaseUrl, sources, registers, egress, webhook, tenants, sessionTimeoutMs }) {
  return {
    LACUNA_DATABASE_URL: databaseUrl,
    LACUNA_LOG: 'kafka',
    LACUNA_KAFKA_BROKERS: brokers,
    LACUNA_SERVICE_TOKEN: randomBytes(32).toString('base64url'),
    LACUNA_REGISTERS: registers,
    LACUNA_SIGNING_KEY_FILE: keyFile(folder),
    LACUNA_SIGNING_PUBLIC_KEY_FILE: `${keyFile(folder)}.pub`,
    LACUNA_EGRESS_ALLOW: egress.join(','),
    LACUNA_LOG_LEVEL: 'warn',
    ...sources,
    ...(webhook ? { LACUNA_WEBHOOK_URL: webhook.url, LACUNA_WEBHOOK_SECRET: webhook.secret } : {}),
    ...(sessionTimeoutMs ? { LACUNA_KAFKA_SESSION_TIMEOUT_MS: String(sessionTimeoutMs) } : {}),
    ...(tenants ? { LACUNA_TENANTS: tenants } : {}),
  };
}

/** @param {string} folder */
function keyFile(folder) {
  return join(folder, 'receipts.pem');
}
