/** Opens what a service stands on; `closes` gets what must be closed again, in the order of opening. */
import { EventPublisher } from '@lacuna/messaging';
import { migrate, openDatabase, PostgresJobQueue, PostgresOutboxStore, queueMigrations, type PostgresDatabase } from '@lacuna/postgres';
import type { EventLog, OutboxStore } from '@lacuna/messaging';
import { crashHook } from './crash-hook.js';
import { ServiceMetrics } from './metrics.js';
import { checkTopics, openLog } from './open-log.js';
import type { RuntimeParts } from './runtime.module.js';
import type { ServiceConfig } from './service-config.js';
import type { ServiceDefinition, StartOverrides } from './service-definition.js';
import { serviceLogger } from './service-logger.js';
import { systemClock } from './tokens.js';

export type Closes = (() => Promise<void> | void)[];

export interface OpenedParts extends Omit<RuntimeParts, 'readiness'> {
  readonly database: PostgresDatabase;
  readonly outbox: OutboxStore;
}

export async function openParts(
  definition: ServiceDefinition,
  config: ServiceConfig,
  overrides: StartOverrides,
  closes: Closes,
): Promise<OpenedParts> {
  const logger = overrides.logger ?? serviceLogger(config);
  const database = overrides.database ?? (await open(definition, config, closes));
  await migrate(database, [...queueMigrations, ...definition.migrations], definition.schema);
  const log = overrides.log ?? (await openOwnLog(config, database, closes, logger));
  await checkTopics(log, definition, config.partitions);
  const crash = overrides.crash ?? crashHook(config.crashPoint);
  const outbox = new PostgresOutboxStore();
  const publisher = new EventPublisher({ database, log, outbox, logger, crash });
  closes.push(() => publisher.stop());
  const metrics = new ServiceMetrics(definition.name);
  const clock = overrides.clock ?? systemClock;
  return { config, database, log, jobs: new PostgresJobQueue(database), outbox, publisher, clock, logger, crash, metrics };
}

async function open(definition: ServiceDefinition, config: ServiceConfig, closes: Closes): Promise<PostgresDatabase> {
  const settings = { url: config.databaseUrl, schema: definition.schema, applicationName: `lacuna-${definition.name}` };
  const database = await openDatabase(settings);
  closes.push(() => database.close());
  return database;
}

async function openOwnLog(
  config: ServiceConfig,
  database: PostgresDatabase,
  closes: Closes,
  logger: RuntimeParts['logger'],
): Promise<EventLog> {
  const log = await openLog(config, database, logger);
  closes.push(() => log.stop());
  return log;
}
