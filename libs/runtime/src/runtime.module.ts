import { Module, type DynamicModule } from '@nestjs/common';
import type { CrashHook, Database, EventLog, EventPublisher, JobQueue } from '@lacuna/messaging';
import type { Logger } from 'pino';
import { HealthController } from './health.controller.js';
import type { ServiceMetrics } from './metrics.js';
import type { Readiness } from './readiness.js';
import type { ServiceConfig } from './service-config.js';
import {
  CLOCK,
  CRASH_POINTS,
  DATABASE,
  EVENT_LOG,
  JOB_QUEUE,
  LOGGER,
  METRICS,
  PUBLISHER,
  READINESS,
  SERVICE_CONFIG,
  type Clock,
} from './tokens.js';

export interface RuntimeParts {
  readonly config: ServiceConfig;
  readonly database: Database;
  readonly log: EventLog;
  readonly jobs: JobQueue;
  readonly publisher: EventPublisher;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly crash: CrashHook;
  readonly metrics: ServiceMetrics;
  readonly readiness: Readiness;
}

/** Gives the parts of a running service to all its modules, and answers for its health. Owns nothing. */
@Module({})
export class RuntimeModule {
  static of(parts: RuntimeParts): DynamicModule {
    const values: readonly (readonly [symbol, unknown])[] = [
      [SERVICE_CONFIG, parts.config],
      [DATABASE, parts.database],
      [EVENT_LOG, parts.log],
      [JOB_QUEUE, parts.jobs],
      [PUBLISHER, parts.publisher],
      [CLOCK, parts.clock],
      [LOGGER, parts.logger],
      [CRASH_POINTS, parts.crash],
      [METRICS, parts.metrics],
      [READINESS, parts.readiness],
    ];
    return {
      module: RuntimeModule,
      global: true,
      controllers: [HealthController],
      providers: values.map(([provide, useValue]) => ({ provide, useValue })),
      exports: values.map(([provide]) => provide),
    };
  }
}
