/** The event log that the configuration names, to be read, and to put dead letters back. */
import { KafkaEventLog } from '@lacuna/kafka';
import type { EventLog } from '@lacuna/messaging';
import { LOG_SCHEMA, MissingTopicError, openDatabase, PostgresEventLog } from '@lacuna/postgres';
import { kafkaSettings, loadConfig, type ServiceConfig } from '@lacuna/runtime';
import { silentLogger } from '../silent-logger.js';
import type { Surroundings } from '../surroundings.js';

export interface OpenedLog {
  readonly log: Pick<EventLog, 'ends' | 'offsetsSince' | 'read' | 'publish'>;
  /** Those of the topics that are there. */
  existing(topics: readonly string[]): Promise<string[]>;
  close(): Promise<void>;
}

export async function openEventLog(env: Surroundings['env']): Promise<OpenedLog> {
  const config = loadConfig('gateway', env);
  const opened = config.log === 'kafka' ? kafkaLog(config) : await postgresLog(config);
  try {
    await opened.log.start();
    return opened;
  } catch (error) {
    await opened.close().catch(() => undefined);
    throw error;
  }
}

function kafkaLog(config: ServiceConfig): OpenedLog & { log: EventLog } {
  const log = new KafkaEventLog({ ...kafkaSettings(config, silentLogger), clientId: 'lacuna-cli' });
  const existing = async (topics: readonly string[]) => {
    const missing = new Set(await log.missingTopics(topics));
    return topics.filter((topic) => !missing.has(topic));
  };
  return { log, existing, close: () => log.stop() };
}

async function postgresLog(config: ServiceConfig): Promise<OpenedLog & { log: EventLog }> {
  const database = await openDatabase({ url: config.databaseUrl, schema: LOG_SCHEMA, applicationName: 'lacuna-cli', poolMax: 2 });
  const log = new PostgresEventLog(database);
  const isThere = async (topic: string) => {
    try {
      return (await log.ends(topic)).size > 0;
    } catch (error) {
      if (error instanceof MissingTopicError) return false;
      throw error;
    }
  };
  const existing = async (topics: readonly string[]) => {
    const found: string[] = [];
    for (const topic of topics) if (await isThere(topic)) found.push(topic);
    return found;
  };
  return { log, existing, close: () => log.stop().finally(() => database.close()) };
}
