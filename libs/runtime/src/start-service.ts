/**
 * Starts one service: database, migrations, event log, topics, Nest application, consumer, HTTP; and stops it in the reverse order.
 *
 * R1 What was opened is closed, also when a later step of the start fails. What a caller gave stays the caller's.
 * R2 The consumer starts after the application's modules are initialised, and stops before they are destroyed.
 * R3 Nest's own logger is one per process and has one service's name, so it is silent: services log through their own.
 * R4 Stopping is bounded: after `STOP_MS_MAX` the process must be ended from outside; nothing is lost by that.
 */
import { BatchLoop, type PartitionHandler, type TopicHandler } from '@lacuna/messaging';
import { PostgresParkingStore, PostgresPositionStore } from '@lacuna/postgres';
import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions, NestMicroservice } from '@nestjs/microservices';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { EventLogStrategy } from './event-log-strategy.js';
import { closeHttp, listen, setUpHttp, urlOf } from './http-application.js';
import { type Closes, type OpenedParts, openParts } from './open-parts.js';
import { OriginalErrorFilter } from './original-error-filter.js';
import { readModelsOnly } from './read-models-only.js';
import { Readiness, type ReadinessCheck } from './readiness.js';
import { RuntimeModule } from './runtime.module.js';
import type { ServiceConfig } from './service-config.js';
import type { RunningService, ServiceDefinition, StartOverrides } from './service-definition.js';
import { within } from './within.js';

const BATCH_MESSAGES_MAX = 500;
const STOP_MS_MAX = 25_000;
/** A message that waits behind a dead letter for longer is a dead letter too. */
const PARKED_MS_MAX = 604_800_000;
/** Of EventPublisher. A batch's own row stays until the next batch and says nothing. */
const RECORDED_SOURCES = 'record:';
const OUTBOX_SOURCES_COUNTED_MAX = 1_000;

/** @throws a one-line error when the database or the event log cannot be reached or is not as it must be. */
export async function startService(
  definition: ServiceDefinition,
  config: ServiceConfig,
  overrides: StartOverrides = {},
): Promise<RunningService> {
  const closes: Closes = [];
  const stop = async () => {
    for (const close of closes.splice(0).reverse()) await close();
  };
  try {
    const parts = await openParts(definition, config, overrides, closes);
    const app = await runApplication(definition, parts, overrides, closes);
    const url = urlOf(app, config.httpHost);
    parts.logger.info({ url, log: parts.log.technology, consumes: definition.consumes }, 'the service is running');
    const late = `${definition.name} did not stop within ${STOP_MS_MAX} ms`;
    return { url, app, stop: () => within(STOP_MS_MAX, late, stop()) };
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
}

async function runApplication(
  definition: ServiceDefinition,
  parts: OpenedParts,
  overrides: StartOverrides,
  closes: Closes,
): Promise<NestExpressApplication> {
  const strategy = makeStrategy(definition, parts, overrides);
  const readiness = makeReadiness(parts, strategy);
  const root = { module: RootModule, imports: [RuntimeModule.of({ ...parts, readiness }), definition.module] };
  const app = await NestFactory.create<NestExpressApplication>(root, { bodyParser: false, logger: false, abortOnError: false });
  closes.push(() => closeHttp(app));
  setUpHttp(app, parts.logger);
  connect(app, strategy);
  await definition.prepare?.(app);
  await app.init();
  closes.push(() => strategy.close());
  await app.startAllMicroservices();
  parts.publisher.startSweeping();
  await listen(app, parts.config);
  closes.push(() => readiness.stopping());
  return app;
}

/**
 * Handlers are registered when the microservice listens, so that the filter is there before them: Nest would register them here at once,
 * and the filter would come too late. Their modules are initialised by the application, once.
 */
function connect(app: NestExpressApplication, strategy: EventLogStrategy): void {
  const microservice = app.connectMicroservice<MicroserviceOptions>({ strategy }, { deferInitialization: true }) as NestMicroservice;
  microservice.setIsInitHookCalled(true);
  microservice.useGlobalFilters(new OriginalErrorFilter());
}

/** Only holds the modules of a service together. */
class RootModule {}

function makeStrategy(definition: ServiceDefinition, parts: OpenedParts, overrides: StartOverrides): EventLogStrategy {
  const { database, log, outbox, clock, logger, crash, metrics } = parts;
  const positions = new PostgresPositionStore();
  const parking = { store: new PostgresParkingStore(), topics: new Set<string>(definition.keepsStatePerKey), parkedMsMax: PARKED_MS_MAX };
  const group = definition.name;
  const makeHandler = (handlers: ReadonlyMap<string, TopicHandler>): PartitionHandler => {
    const delivery = { database, log, positions, parking, outbox, clock, logger, crash, observer: metrics.observer };
    const guarded = readModelsOnly(handlers, definition);
    return metrics.watch(new BatchLoop({ group, producer: definition.name, handlers: guarded, ...delivery }));
  };
  const onFatal = (error: Error) => {
    logger.fatal({ err: error }, 'the consumer cannot go on');
    overrides.onFatal?.(error);
  };
  const strategy = new EventLogStrategy({
    group,
    log,
    consumes: definition.consumes,
    batchMessagesMax: BATCH_MESSAGES_MAX,
    makeHandler,
    onFatal,
  });
  metrics.scrapeFrom({
    outboxSources: async () =>
      (await database.transaction((tx) => outbox.staleSources(tx, RECORDED_SOURCES, 0, OUTBOX_SOURCES_COUNTED_MAX))).length,
    ends: (topic) => log.ends(topic),
    isConsumerRunning: () => strategy.isRunning(),
  });
  return strategy;
}

function makeReadiness({ database, log, logger }: OpenedParts, strategy: EventLogStrategy): Readiness {
  const consumer = async () => {
    if (!strategy.isRunning()) throw new Error('the consumer is not joined and reading');
  };
  const checks: readonly ReadinessCheck[] = [
    { name: 'database', check: () => database.ping() },
    { name: 'log', check: () => log.ping() },
    { name: 'consumer', check: consumer },
  ];
  return new Readiness(checks, logger);
}
