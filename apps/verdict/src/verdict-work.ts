/** Runs the worker for generations that waited for their register, for as long as the service runs. */
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { type CrashHook, type Database, type DeliveryLogger, type EventPublisher, type JobQueue, JobWorker } from '@lacuna/messaging';
import type { SigningKey } from '@lacuna/receipts';
import { CLOCK, type Clock, CRASH_POINTS, DATABASE, JOB_QUEUE, LOGGER, PUBLISHER } from '@lacuna/runtime';
import { DecideWaiting, waitingQueue } from './decide-waiting.js';
import { newSalt } from './receipt-log.js';
import { SIGNING_KEY } from './signing-key.js';

@Injectable()
export class VerdictWork implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #worker: JobWorker;

  constructor(
    @Inject(DATABASE) database: Database,
    @Inject(JOB_QUEUE) jobs: JobQueue,
    @Inject(PUBLISHER) publisher: EventPublisher,
    @Inject(CLOCK) clock: Clock,
    @Inject(LOGGER) logger: DeliveryLogger,
    @Inject(CRASH_POINTS) crash: CrashHook,
    @Inject(SIGNING_KEY) signingKey: SigningKey,
  ) {
    const told = (error: unknown, generation: object) => logger.error({ err: error, ...generation }, 'a generation cannot be decided');
    const waiting = new DecideWaiting({ jobs, publisher, signingKey, newSalt, now: () => clock.now(), told });
    this.#worker = new JobWorker({
      database,
      jobs,
      queue: waitingQueue,
      run: (job, lease) => waiting.run(job, lease),
      clock,
      logger,
      crash,
    });
  }

  onApplicationBootstrap(): void {
    this.#worker.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#worker.stop();
  }
}
