/** A notifier as it runs, on a database and a Postgres log of its own, driven by events. */
import { decodeEvent, type EncodedEvent, type EventDefinition, encodeEvent, isEvent } from '@lacuna/events';
import { type EventLog, waitMs } from '@lacuna/messaging';
import { openDatabase, PostgresEventLog, type PostgresDatabase } from '@lacuna/postgres';
import { loadConfig, type RunningService, startService, type StartOverrides, topicsOf } from '@lacuna/runtime';
import { freshDatabase, type FreshDatabase } from '@lacuna/testing';
import { notifier } from '../src/index.js';

const HANDLED_MS_MAX = 30_000;
const LOOK_MS = 25;
const READ_MAX = 10_000;
const PARTITIONS = 3;

export interface NotifierOptions {
  /** Configuration keys besides those of the database. */
  readonly settings?: Readonly<Record<string, string>>;
}

export class NotifierBench {
  readonly #services: RunningService[] = [];

  private constructor(
    readonly fresh: FreshDatabase,
    readonly admin: PostgresDatabase,
    readonly log: EventLog,
    private readonly options: NotifierOptions,
  ) {}

  static async open(options: NotifierOptions = {}): Promise<NotifierBench> {
    const fresh = await freshDatabase();
    const admin = await openDatabase({ url: fresh.adminUrl, schema: 'notifier', applicationName: 'test', poolMax: 3 });
    const log = new PostgresEventLog(admin);
    await log.start();
    await log.ensureTopics(topicsOf(notifier, PARTITIONS));
    return new NotifierBench(fresh, admin, log, options);
  }

  async start(overrides: StartOverrides = {}): Promise<RunningService> {
    const config = loadConfig('notifier', {
      LACUNA_DATABASE_URL: this.fresh.url,
      LACUNA_PARTITIONS: String(PARTITIONS),
      LACUNA_LOG_LEVEL: 'silent',
      ...this.options.settings,
    });
    const service = await startService(notifier, config, overrides);
    this.#services.push(service);
    return service;
  }

  async stop(): Promise<void> {
    await Promise.allSettled(this.#services.splice(0).map((service) => service.stop()));
  }

  async close(): Promise<void> {
    await this.stop();
    await this.log.stop();
    await this.admin.close();
    await this.fresh.drop();
  }

  /** Publishes as other services would, and resolves when notifier has handled all there is. */
  async tell(...messages: readonly EncodedEvent[]): Promise<void> {
    await this.log.publish(messages);
    await this.handled();
  }

  /** Until the positions, read first, are the ends of the topics, read after them. */
  async handled(): Promise<void> {
    await until('notifier has handled all its topics', async () => {
      const positions = await this.rows<{ topic: string; partition: number; next_offset: string }>('select * from position');
      const at = new Map(positions.map((row) => [`${row.topic}/${row.partition}`, BigInt(row.next_offset)]));
      for (const topic of notifier.consumes) {
        for (const [partition, end] of await this.log.ends(topic)) if ((at.get(`${topic}/${partition}`) ?? 0n) !== end) return false;
      }
      return true;
    });
  }

  /** Past row-level security, as an operator looks. */
  rows<Row extends object>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    return this.admin.query<Row>(sql, parameters);
  }

  /** Events of a question, in the order of its key. */
  async published<T extends { questionId: string }>(definition: EventDefinition<T>, questionId: string): Promise<T[]> {
    const found: T[] = [];
    for (const [partition] of await this.log.ends(definition.topic)) {
      for (const message of await this.log.read({ topic: definition.topic, partition }, 0n, READ_MAX)) {
        const outcome = decodeEvent(message);
        if (outcome.ok && isEvent(definition, outcome.event) && outcome.event.data.questionId === questionId)
          found.push(outcome.event.data);
      }
    }
    return found;
  }
}

export async function until(what: string, isSo: () => Promise<boolean>, msMax = HANDLED_MS_MAX): Promise<void> {
  const deadline = performance.now() + msMax;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`not within ${msMax} ms: ${what}`);
    await waitMs(LOOK_MS);
  }
}

export const told = <T extends object>(definition: EventDefinition<T>, data: T): EncodedEvent => encodeEvent(definition, data, 'verdict');
