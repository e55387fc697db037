/** Dead-letters verdicts that have waited for too long, and tells their questions: notifier opens a case, and no permit is made until requeue. */
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { EncodedEvent, VerdictReached } from '@lacuna/events';
import {
  type Database,
  deadLetter,
  type DeliveryLogger,
  type EventPublisher,
  type JobQueue,
  JobWorker,
  type LeasedJob,
  stalledEvent,
} from '@lacuna/messaging';
import { CLOCK, type Clock, DATABASE, JOB_QUEUE, LOGGER, PUBLISHER, systemClock } from '@lacuna/runtime';
import { SettleWrites } from './settle-writes.js';
import { messageOf, WAITING_MS_MAX, type WaitingDeadline, waitingDeadlineOf, waitingQueue } from './waiting-deadline.js';

/** The database's clock, by which jobs become due, may be before ours. */
const EARLY_RETRY_MS = 1_000;
const NAME = 'write-guard';

@Injectable()
export class WaitingWork implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #worker: JobWorker;

  constructor(
    @Inject(DATABASE) database: Database,
    @Inject(JOB_QUEUE) private readonly jobs: JobQueue,
    @Inject(PUBLISHER) private readonly publisher: EventPublisher,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) logger: DeliveryLogger,
    @Inject(SettleWrites) private readonly writes: SettleWrites,
  ) {
    this.#worker = new JobWorker({ database, jobs, clock, logger, queue: waitingQueue, run: (job) => this.#end(job) });
  }

  onApplicationBootstrap(): void {
    this.#worker.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.#worker.stop();
  }

  /** Under the job's fence: of two workers one changes nothing. */
  async #end(job: LeasedJob): Promise<void> {
    const deadline = waitingDeadlineOf(job);
    const isDue = this.clock.now().getTime() >= deadline.waitsUntilMs;
    await this.publisher.record(`${job.tenantId}:${deadline.questionId}`, job.tenantId, async (tx) => {
      if (!isDue) await this.jobs.postpone(tx, job, new Date(systemClock.now().getTime() + EARLY_RETRY_MS));
      const mine = isDue && (await this.jobs.settle(tx, job));
      const verdict = mine ? await this.writes.waitedTooLong(tx, job.tenantId, deadline) : null;
      return { events: verdict ? this.#told(verdict, deadline) : [], result: undefined };
    });
  }

  #told(verdict: VerdictReached, deadline: WaitingDeadline): EncodedEvent[] {
    const message = messageOf(verdict, deadline);
    const detail = `its question or its register did not come within ${WAITING_MS_MAX} ms: put it back once they are there`;
    const cause = { reason: 'parked-too-long', detail } as const;
    const by = { group: NAME, producer: NAME, at: this.clock.now() } as const;
    return [deadLetter(message, cause, by), stalledEvent(message, cause, by)].filter((event) => event !== null);
  }
}
