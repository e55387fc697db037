/**
 * Works through one queue of leased jobs.
 *
 * W1 `run` settles or postpones its job itself, in the transaction that keeps its outcome: under the fence, so that of two holders one
 *    changes nothing. A job that it neither settles nor postpones is leased again when the lease ends.
 * W2 A lease that could not be renewed in time, or was passed, aborts `signal`: from then on nothing may be sent or written.
 * W3 A failing job is postponed with a growing, bounded delay; it is never dropped here.
 * W4 Stopping aborts `signal` and gives the jobs in hand back at once.
 */
import type { Clock, DeliveryLogger } from './clock.js';
import { type CrashHook, noCrash } from './crash-points.js';
import type { Database } from './database.js';
import { SimulatedCrash } from './delivery-error.js';
import type { JobQueue, LeasedJob } from './queue-store.js';
import { retryDelayMs } from './retry-policy.js';
import { WakeableWait } from './wakeable-wait.js';

export interface JobLease {
  /** Aborted when the job is no longer ours, or the worker stops. */
  readonly signal: AbortSignal;
  /** Renews the lease; false: somebody else has the job, end without a trace. */
  stillMine(): Promise<boolean>;
  /** Time left of the lease: looked at directly before anything is sent outside. */
  remainingMs(): number;
}

export interface JobWorkerOptions {
  readonly database: Database;
  readonly jobs: JobQueue;
  readonly queue: string;
  readonly run: (job: LeasedJob, lease: JobLease) => Promise<void>;
  readonly clock: Clock;
  readonly logger: DeliveryLogger;
  readonly concurrencyMax?: number;
  readonly leaseMs?: number;
  /** First wait when nothing is due; doubles up to `idleDelayMsMax`. */
  readonly idleDelayMs?: number;
  readonly idleDelayMsMax?: number;
  readonly retryDelayMs?: number;
  readonly retryDelayMsMax?: number;
  readonly crash?: CrashHook;
}

const DEFAULTS = {
  concurrencyMax: 4,
  leaseMs: 30_000,
  idleDelayMs: 50,
  idleDelayMsMax: 1_000,
  retryDelayMs: 500,
  retryDelayMsMax: 60_000,
};
const RENEWALS_PER_LEASE = 3;

export class JobWorker {
  readonly #options: JobWorkerOptions & typeof DEFAULTS;
  readonly #crash: CrashHook;
  readonly #wait = new WakeableWait();
  readonly #running = new Map<AbortController, Promise<void>>();
  #stopping = false;
  #loop: Promise<void> | null = null;
  #unlisten: () => void = () => undefined;

  constructor(options: JobWorkerOptions) {
    this.#options = { ...DEFAULTS, ...options };
    this.#crash = options.crash ?? noCrash;
  }

  start(): void {
    this.#unlisten = this.#options.jobs.onEnqueued?.(this.#options.queue, () => this.wake()) ?? this.#unlisten;
    this.#loop ??= this.#work();
  }

  /** A job may be due: look now. */
  wake(): void {
    this.#wait.wake();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#unlisten();
    this.wake();
    for (const controller of this.#running.keys()) controller.abort(new Error('the worker is stopping'));
    await this.#loop;
    await Promise.all(this.#running.values());
  }

  async #work(): Promise<void> {
    let idleMs = this.#options.idleDelayMs;
    while (!this.#stopping) {
      const taken = await this.#takeJobs();
      idleMs = taken > 0 ? this.#options.idleDelayMs : Math.min(idleMs * 2, this.#options.idleDelayMsMax);
      const full = this.#running.size >= this.#options.concurrencyMax;
      if (full || taken === 0) await this.#wait.forMs(idleMs);
    }
  }

  async #takeJobs(): Promise<number> {
    const { database, jobs, queue, concurrencyMax, leaseMs, logger } = this.#options;
    const free = concurrencyMax - this.#running.size;
    if (free <= 0) return 0;
    try {
      const leasedAtMs = performance.now();
      const leased = await database.transaction((tx) => jobs.lease(tx, queue, free, leaseMs));
      for (const job of leased) {
        if (this.#stopping) await this.#giveBack(job, 0);
        else this.#begin(job, leasedAtMs);
      }
      return leased.length;
    } catch (error) {
      logger.warn({ err: error, queue }, 'jobs could not be leased: tried again');
      return 0;
    }
  }

  #begin(job: LeasedJob, leasedAtMs: number): void {
    const controller = new AbortController();
    const done = this.#runJob(job, controller, leasedAtMs).finally(() => {
      this.#running.delete(controller);
      this.wake();
    });
    this.#running.set(controller, done);
  }

  async #runJob(job: LeasedJob, controller: AbortController, leasedAtMs: number): Promise<void> {
    const lease = this.#lease(job, controller, leasedAtMs);
    try {
      await this.#crash('job-leased', `${job.queue}/${job.key}`);
      await this.#options.run(job, lease);
      if (this.#stopping) await this.#giveBack(job, 0);
    } catch (error) {
      if (error instanceof SimulatedCrash) return void (this.#stopping = true);
      if (this.#stopping) return await this.#giveBack(job, 0);
      this.#options.logger.warn({ err: error, queue: job.queue, key: job.key, attempts: job.attempts }, 'a job failed and is tried later');
      const { retryDelayMs: delayMs, retryDelayMsMax: delayMsMax } = this.#options;
      await this.#giveBack(job, retryDelayMs(job.attempts, { delayMs, delayMsMax }));
    } finally {
      lease.end();
    }
  }

  #lease(job: LeasedJob, controller: AbortController, leasedAtMs: number): JobLease & { end(): void } {
    const { database, jobs, leaseMs, logger } = this.#options;
    let endsAtMs = leasedAtMs + leaseMs;
    const remainingMs = () => endsAtMs - performance.now();
    const stillMine = async () => {
      const beganAtMs = performance.now();
      const mine = await database.transaction((tx) => jobs.extend(tx, job, leaseMs));
      if (mine) endsAtMs = beganAtMs + leaseMs;
      else controller.abort(new Error(`job ${job.queue}/${job.key} has another holder`));
      return mine && !controller.signal.aborted;
    };
    const heartbeat = setInterval(() => {
      if (remainingMs() <= 0) controller.abort(new Error(`the lease of job ${job.queue}/${job.key} ended without renewal`));
      stillMine().catch((error: unknown) => logger.warn({ err: error, queue: job.queue, key: job.key }, 'a lease could not be renewed'));
    }, leaseMs / RENEWALS_PER_LEASE);
    return { signal: controller.signal, stillMine, remainingMs, end: () => clearInterval(heartbeat) };
  }

  /** Under the fence: a job that was settled, postponed or passed on stays as it is. */
  async #giveBack(job: LeasedJob, delayMs: number): Promise<void> {
    const { database, jobs, clock, logger } = this.#options;
    const availableAt = new Date(clock.now().getTime() + delayMs);
    await database
      .transaction((tx) => jobs.postpone(tx, job, availableAt))
      .catch((error: unknown) => logger.warn({ err: error, queue: job.queue, key: job.key }, 'a job stays leased until its lease ends'));
  }
}
