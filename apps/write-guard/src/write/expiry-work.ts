/** Ends authorisations whose time is over, for as long as the service runs. */
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { type Database, type DeliveryLogger, type EventPublisher, type JobQueue, JobWorker, type LeasedJob } from '@lacuna/messaging';
import { CLOCK, type Clock, DATABASE, JOB_QUEUE, LOGGER, PUBLISHER, systemClock } from '@lacuna/runtime';
import { expiryOf, expiryQueue } from './expiry-jobs.js';
import { SettleWrites } from './settle-writes.js';

/** The database's clock, by which jobs become due, may be before ours. */
const EARLY_RETRY_MS = 1_000;

@Injectable()
export class ExpiryWork implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #worker: JobWorker;

  constructor(
    @Inject(DATABASE) database: Database,
    @Inject(JOB_QUEUE) private readonly jobs: JobQueue,
    @Inject(PUBLISHER) private readonly publisher: EventPublisher,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) logger: DeliveryLogger,
    @Inject(SettleWrites) private readonly writes: SettleWrites,
  ) {
    this.#worker = new JobWorker({ database, jobs, clock, logger, queue: expiryQueue, run: (job) => this.#expire(job) });
  }

  onApplicationBootstrap(): void {
    this.#worker.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.#worker.stop();
  }

  /** Under the job's fence: of two workers one changes nothing. */
  async #expire(job: LeasedJob): Promise<void> {
    const expiry = expiryOf(job);
    const isDue = this.clock.now().getTime() >= expiry.expiresAtMs;
    await this.publisher.record(`${job.tenantId}:${expiry.questionId}`, job.tenantId, async (tx) => {
      if (!isDue) await this.jobs.postpone(tx, job, new Date(systemClock.now().getTime() + EARLY_RETRY_MS));
      const mine = isDue && (await this.jobs.settle(tx, job));
      return { events: mine ? await this.writes.expired(tx, job.tenantId, expiry) : [], result: undefined };
    });
  }
}
