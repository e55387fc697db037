/** Sends claimed writes to their outside systems for as long as the service runs. */
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { secretsOf } from '@lacuna/connectors';
import { type CrashHook, type Database, type DeliveryLogger, type EventPublisher, type JobQueue, JobWorker } from '@lacuna/messaging';
import {
  CLOCK,
  type Clock,
  CRASH_POINTS,
  DATABASE,
  JOB_QUEUE,
  LOGGER,
  PUBLISHER,
  SERVICE_CONFIG,
  type ServiceConfig,
} from '@lacuna/runtime';
import { outsideQueue } from './outside-jobs.js';
import { OutsideSender } from './outside-sender.js';

/** Sends side by side in one process. */
const SENDS_AT_ONCE_MAX = 16;

@Injectable()
export class OutsideWork implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #worker: JobWorker;

  constructor(
    @Inject(DATABASE) database: Database,
    @Inject(JOB_QUEUE) jobs: JobQueue,
    @Inject(PUBLISHER) publisher: EventPublisher,
    @Inject(CLOCK) clock: Clock,
    @Inject(SERVICE_CONFIG) config: ServiceConfig,
    @Inject(LOGGER) logger: DeliveryLogger,
    @Inject(CRASH_POINTS) crash: CrashHook,
  ) {
    const egress = { hosts: new Set(config.egressAllow), networks: [] };
    const sender = new OutsideSender({ database, jobs, publisher, clock, crash, egress, secrets: secretsOf(process.env) });
    const run = (...[job, lease]: Parameters<OutsideSender['run']>) => sender.run(job, lease);
    this.#worker = new JobWorker({ database, jobs, clock, logger, crash, queue: outsideQueue, run, concurrencyMax: SENDS_AT_ONCE_MAX });
  }

  onApplicationBootstrap(): void {
    this.#worker.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.#worker.stop();
  }
}
