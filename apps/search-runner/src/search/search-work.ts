/** Runs the workers of searches and of control checks for as long as the service runs. */
import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { type DocumentSource, PostgresPools, type RateLimiter, readerFor, secretsOf, type SourceReader } from '@lacuna/connectors';
import type { SearchStarted } from '@lacuna/events';
import { OWN_WRITES } from '@lacuna/evidence';
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
import { controlQueue } from '../controls/control-job.js';
import { ControlChecker } from '../controls/control-checker.js';
import { searchQueue } from '../jobs/search-job.js';
import { OwnWritesClient } from '../own-writes/own-writes-client.js';
import { sharedRateLimiter } from '../rates/shared-rate-limiter.js';
import { OwnWritesReader } from '../own-writes/own-writes-reader.js';
import { type PublishedRegister, SearchWorker } from './search-worker.js';

/** Searches side by side in one process: they wait for sources most of the time. */
const SEARCHES_MAX = 32;
/** Registers whose controls are checked side by side. */
const CHECKS_MAX = 2;
const LEASE_MS = 10_000;
/** One request or statement to a source. */
const REQUEST_MS_MAX = 30_000;

type Asked = Pick<SearchStarted, 'tenantId' | 'identifiers'>;

@Injectable()
export class SearchWork implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #workers: readonly JobWorker[];
  readonly #ownWrites: OwnWritesClient;
  readonly #egress: { hosts: ReadonlySet<string>; networks: readonly string[] };
  readonly #secrets = secretsOf(process.env);
  readonly #connections = new PostgresPools();
  readonly #rates: RateLimiter;

  constructor(
    @Inject(DATABASE) database: Database,
    @Inject(JOB_QUEUE) jobs: JobQueue,
    @Inject(PUBLISHER) publisher: EventPublisher,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(SERVICE_CONFIG) config: ServiceConfig,
    @Inject(LOGGER) logger: DeliveryLogger,
    @Inject(CRASH_POINTS) crash: CrashHook,
  ) {
    this.#rates = sharedRateLimiter(database);
    this.#egress = { hosts: new Set(config.egressAllow), networks: [] };
    this.#ownWrites = new OwnWritesClient({ url: config.writeGuardUrl, serviceToken: config.serviceToken, now: () => clock.now() });
    const means = {
      database,
      jobs,
      clock,
      random: Math.random,
      told: (error: unknown, source: string) =>
        logger.error({ err: error, source }, 'a fault while a source was read: the search holds for it'),
      sleep: (delayMs: number, signal: AbortSignal) => delay(delayMs, undefined, { signal }).catch(() => undefined),
      newReader: (register: PublishedRegister, source: DocumentSource, asked: Asked) => this.#reader(register, source, asked),
    };
    const search = new SearchWorker({ ...means, publisher, crash });
    const controls = new ControlChecker(means);
    const bounds = { database, jobs, clock, logger, crash, leaseMs: LEASE_MS };
    this.#workers = [
      new JobWorker({ ...bounds, queue: searchQueue, run: (job, lease) => search.run(job, lease), concurrencyMax: SEARCHES_MAX }),
      new JobWorker({ ...bounds, queue: controlQueue, run: (job, lease) => controls.run(job, lease), concurrencyMax: CHECKS_MAX }),
    ];
  }

  onApplicationBootstrap(): void {
    for (const worker of this.#workers) worker.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.stop()));
    await this.#connections.close();
  }

  #reader(register: PublishedRegister, source: DocumentSource, { identifiers, tenantId }: Asked): SourceReader {
    if (source.name === OWN_WRITES) return new OwnWritesReader({ client: this.#ownWrites, tenantId, register, identifiers });
    return readerFor(source, {
      register,
      identifiers,
      secrets: this.#secrets,
      egress: this.#egress,
      clock: this.clock,
      elapsedMsMax: REQUEST_MS_MAX,
      connections: this.#connections,
      rateLimiter: this.#rates,
    });
  }
}
