/**
 * Events of HTTP requests, timers and workers.
 *
 * P1 A state change and its events are one transaction: both or neither.
 * P2 Events of one source are published oldest first, by one publisher at a time, and removed once acknowledged.
 * P3 What is committed will be published: by the one who wrote it, or by the sweeper after a crash or a failure. The caller is not failed
 *    for it.
 * P4 Where the log is in our database, events are appended in the transaction itself, last.
 */
import type { EncodedEvent } from '@lacuna/events';
import type { DeliveryLogger } from './clock.js';
import { type CrashHook, noCrash } from './crash-points.js';
import type { Database, Transaction } from './database.js';
import { SimulatedCrash } from './delivery-error.js';
import type { EventLog } from './event-log.js';
import { codeOf } from './failure-table.js';
import type { OutboxStore } from './queue-store.js';
import { retryDelayMs, waitMs } from './retry-policy.js';

export interface EventPublisherOptions {
  readonly database: Database;
  readonly log: Pick<EventLog, 'publish' | 'appendIn'>;
  readonly outbox: OutboxStore;
  readonly logger: DeliveryLogger;
  readonly crash?: CrashHook;
  /** Rows younger than this belong to the one who wrote them. */
  readonly sweepAgeMs?: number;
  /** Age of leftovers of a killed process: also the interval at which `startSweeping` looks. */
  readonly sweepDelayMs?: number;
}

export interface Recorded<T> {
  readonly events: readonly EncodedEvent[];
  readonly result: T;
}

const PREFIX = 'record:';
const ROWS_MAX = 100;
const SWEPT_SOURCES_MAX = 200;
const RECORD_ATTEMPTS_MAX = 4;
const RECORD_DELAY = { delayMs: 10, delayMsMax: 200 };
/** Nothing was committed, and the same work can be done again. */
const CONTENTION = /^(40P01|40001|55P03)$/;

export class EventPublisher {
  readonly #crash: CrashHook;
  /** The last publication of each source in this process: the next one waits for it (P2). */
  readonly #tails = new Map<string, Promise<void>>();
  #sweeping: NodeJS.Timeout | null = null;

  constructor(private readonly options: EventPublisherOptions) {
    this.#crash = options.crash ?? noCrash;
  }

  /** Runs `work` in one transaction, acting for the tenant, and publishes the events it answers. `work` may run again after a deadlock. */
  async record<T>(source: string, tenantId: string | null, work: (tx: Transaction) => Promise<Recorded<T>>): Promise<T> {
    const key = `${PREFIX}${source}`;
    const { result, inOutbox } = await this.#commit(key, tenantId, work);
    await this.#crash('after-commit', key);
    if (inOutbox) await this.#publishInTurn(key);
    return result;
  }

  /** Straight to the log, acknowledged when it resolves; nothing is kept for a retry. */
  async publishNow(events: readonly EncodedEvent[]): Promise<void> {
    if (events.length > 0) await this.options.log.publish(events);
  }

  /** Publishes what was left behind (P3). Answers the number of sources looked at. */
  async sweep(): Promise<number> {
    const ageMs = this.options.sweepAgeMs ?? 2_000;
    const sources = await this.options.database.transaction((tx) => this.options.outbox.staleSources(tx, PREFIX, ageMs, SWEPT_SOURCES_MAX));
    for (const source of sources) await this.#publishInTurn(source);
    return sources.length;
  }

  startSweeping(): void {
    this.#sweeping ??= setInterval(() => {
      this.sweep().catch((error: unknown) => this.options.logger.warn({ err: error }, 'the sweeper could not look for unpublished events'));
    }, this.options.sweepDelayMs ?? 2_000);
    this.#sweeping.unref();
  }

  /** Ends the sweeper and waits for publications in hand. */
  async stop(): Promise<void> {
    if (this.#sweeping) clearInterval(this.#sweeping);
    this.#sweeping = null;
    await Promise.all(this.#tails.values());
  }

  async #commit<T>(key: string, tenantId: string | null, work: (tx: Transaction) => Promise<Recorded<T>>) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.options.database.transaction(async (tx) => {
          if (tenantId !== null) await tx.actFor(tenantId);
          const { events, result } = await work(tx);
          const inOutbox = events.length > 0 && this.options.log.appendIn === null;
          if (inOutbox) await this.options.outbox.add(tx, key, events);
          else if (events.length > 0) await this.options.log.appendIn?.(tx, events);
          return { result, inOutbox };
        });
      } catch (error) {
        if (attempt >= RECORD_ATTEMPTS_MAX || !CONTENTION.test(codeOf(error) ?? '')) throw error;
        await waitMs(retryDelayMs(attempt, RECORD_DELAY));
      }
    }
  }

  /** After this process's earlier publication of the source. A failure is logged and left to the sweeper; a simulated crash goes on. */
  async #publishInTurn(source: string): Promise<void> {
    const before = this.#tails.get(source) ?? Promise.resolve();
    const mine = before.then(() => this.#publishSource(source));
    const tail = mine.catch(() => undefined);
    this.#tails.set(source, tail);
    try {
      await mine;
    } catch (error) {
      if (error instanceof SimulatedCrash) throw error;
      this.options.logger.warn({ err: error, source }, 'committed events are not published yet: the sweeper will');
    } finally {
      if (this.#tails.get(source) === tail) this.#tails.delete(source);
    }
  }

  /** Under the source's lock, which ends with the transaction: a publisher that hangs loses it, and its events are at worst repeated. */
  async #publishSource(source: string): Promise<void> {
    const { database, outbox, log } = this.options;
    await database.transaction(async (tx) => {
      if (!(await outbox.lockSource(tx, source))) return;
      const rows = await outbox.pending(tx, source, ROWS_MAX);
      if (rows.length === 0) return;
      await this.#crash('before-publish', source);
      await log.publish(rows.flatMap((row) => row.events));
      await this.#crash('after-publish', source);
      await outbox.remove(
        tx,
        rows.map((row) => row.id),
      );
    });
  }
}
