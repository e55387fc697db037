import { readFileSync } from 'node:fs';
import type { EventLog } from '@lacuna/messaging';
import { KafkaEventLog, type KafkaSettings } from '@lacuna/kafka';
import { migrateLog, PostgresEventLog, type PostgresDatabase } from '@lacuna/postgres';
import type { Logger } from 'pino';
import type { ServiceConfig } from './service-config.js';
import type { ServiceDefinition } from './service-definition.js';
import { topicsOf } from './service-topics.js';
import { StartError } from './start-error.js';

/** The event log that the configuration names, connected. Its opener stops it. */
export async function openLog(config: ServiceConfig, database: PostgresDatabase, logger: Logger): Promise<EventLog> {
  if (config.log === 'postgres') await migrateLog(database);
  const log = config.log === 'kafka' ? new KafkaEventLog(kafkaSettings(config, logger)) : new PostgresEventLog(database);
  try {
    await log.start();
    return log;
  } catch (error) {
    await log.stop().catch(() => undefined);
    throw error;
  }
}

/** The Postgres log's topics are made here; Kafka's are made by an operator, and missing ones are named. @throws StartError */
export async function checkTopics(log: EventLog, service: ServiceDefinition, partitions: number): Promise<void> {
  const needed = topicsOf(service, partitions);
  if (log.technology === 'postgres') return log.ensureTopics(needed);
  if (!(log instanceof KafkaEventLog)) return;
  const missing = await log.missingTopics(needed.map(({ topic }) => topic));
  if (missing.length > 0) throw new StartError(`Kafka has no topic ${missing.join(', ')}: make them with "lacuna topics apply"`);
}

export function kafkaSettings(config: ServiceConfig, logger: KafkaSettings['logger']): KafkaSettings {
  const { kafkaSasl: mechanism, kafkaUser: username, kafkaPassword: password } = config;
  return {
    brokers: config.kafkaBrokers,
    clientId: `lacuna-${config.service}`,
    logger,
    ssl: config.kafkaTls === 'on' && (config.kafkaCaFile === null || { ca: certificates(config.kafkaCaFile) }),
    sessionTimeoutMs: config.kafkaSessionTimeoutMs,
    ...(mechanism !== 'none' && username !== null && password !== null ? { sasl: { mechanism, username, password } } : {}),
  };
}

/** @throws StartError */
function certificates(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new StartError(`LACUNA_KAFKA_CA_FILE names ${path}, which cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}
