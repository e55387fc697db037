/** `lacuna topics apply`: makes the topics that are missing in Kafka. Nothing is deleted or altered. */
import { allTopics, kafkaSettings, loadConfig, type ServiceConfig } from '@lacuna/runtime';
import { KafkaEventLog } from '@lacuna/kafka';
import { CliError } from '../cli-error.js';
import type { Surroundings } from '../surroundings.js';
import { silentLogger } from '../silent-logger.js';
import { readers } from './readers.js';
import { describeSettings, topicDrifts } from './topic-drift.js';

export interface ApplyTopicsOptions {
  readonly replication?: number;
  /** Of a topic that is made; default LACUNA_PARTITIONS. */
  readonly partitions?: number;
}

export async function applyTopics(options: ApplyTopicsOptions, { env, print, say }: Surroundings): Promise<void> {
  const config = loadConfig('gateway', env);
  const wanted = allTopics(readers, options.partitions ?? config.partitions);
  const log = await openKafka(config, options.replication);
  try {
    const names = wanted.map(({ topic }) => topic);
    const missing = new Set(await log.missingTopics(names));
    await log.ensureTopics(wanted);
    for (const settings of wanted) if (missing.has(settings.topic)) print(`made ${settings.topic} (${describeSettings(settings)})\n`);
    print(`${names.length} topics: ${missing.size} made, ${names.length - missing.size} were there\n`);
    for (const drift of topicDrifts(wanted, await log.describeTopics(names))) say(`drift: ${drift}`);
  } finally {
    await log.stop();
  }
}

async function openKafka(config: ServiceConfig, replicationFactor: number | undefined): Promise<KafkaEventLog> {
  if (config.kafkaBrokers.length === 0)
    throw new CliError('no broker is named: set LACUNA_KAFKA_BROKERS=host:port (topics of the Postgres log are made by the services)');
  const settings = { ...kafkaSettings(config, silentLogger), clientId: 'lacuna-cli', replicationFactor };
  const log = new KafkaEventLog(settings);
  try {
    await log.start();
    return log;
  } catch (error) {
    await log.stop().catch(() => undefined);
    throw error;
  }
}
