/** Carries out exceptions, for as long as the service runs. */
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { type Database, type DeliveryLogger, type EventPublisher, type JobQueue, JobWorker, type LeasedJob } from '@lacuna/messaging';
import { CLOCK, type Clock, DATABASE, JOB_QUEUE, LOGGER, PUBLISHER } from '@lacuna/runtime';
import { exceptionOf, exceptionQueue } from './exception-jobs.js';
import { SettleWrites } from './settle-writes.js';

/** Until its verdict is looked for again. */
const WAIT_MS = 250;
/** Behind its end an exception still waits this long for its verdict, so that it is answered: as expired. */
const UNANSWERED_MS_MAX = 900_000;

@Injectable()
export class ExceptionWork implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #worker: JobWorker;

  constructor(
    @Inject(DATABASE) database: Database,
    @Inject(JOB_QUEUE) private readonly jobs: JobQueue,
    @Inject(PUBLISHER) private readonly publisher: EventPublisher,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) logger: DeliveryLogger,
    @Inject(SettleWrites) private readonly writes: SettleWrites,
  ) {
    this.#worker = new JobWorker({ database, jobs, clock, logger, queue: exceptionQueue, run: (job) => this.#carryOut(job) });
  }

  onApplicationBootstrap(): void {
    this.#worker.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.#worker.stop();
  }

  /** Under the job's fence: of two workers one changes nothing. One whose verdict never came is dropped in the end. */
  async #carryOut(job: LeasedJob): Promise<void> {
    const exception = exceptionOf(job);
    await this.publisher.record<void>(`${job.tenantId}:${exception.questionId}`, job.tenantId, async (tx) => {
      const now = this.clock.now();
      const told = await this.writes.excepted(tx, job.tenantId, exception);
      const waits = told === null && now.getTime() < Date.parse(exception.expiresAt) + UNANSWERED_MS_MAX;
      const mine = waits ? await this.jobs.postpone(tx, job, new Date(now.getTime() + WAIT_MS)) : await this.jobs.settle(tx, job);
      if (!mine) throw new LeaseLostError(`exception ${exception.exceptionId} has another holder`);
      return { events: told ?? [], result: undefined };
    });
  }
}

/** Rolls back what was done without the lease. */
class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
}
