/** A write-guard as it runs, on a database and a Postgres log of its own, driven by events. */
import { decodeEvent, type DecodedEvent, type EncodedEvent, type EventDefinition, encodeEvent, isEvent } from '@lacuna/events';
import { type EventLog, waitMs } from '@lacuna/messaging';
import { openDatabase, PostgresEventLog, type PostgresDatabase } from '@lacuna/postgres';
import { loadConfig, type RunningService, type ServiceDefinition, startService, type StartOverrides, topicsOf } from '@lacuna/runtime';
import { afterNoon, freshDatabase, type FreshDatabase } from '@lacuna/testing';
import { writeGuard } from '../src/index.js';

const HANDLED_MS_MAX = 120_000;
const LOOK_MS = 25;
const READ_MAX = 20_000;
export const SERVICE_TOKEN = 'a-service-token-of-tests';

/** Five seconds after the builders' evidence was seen. */
export const atWriting = new Date(afterNoon(6_000));

export interface WriteGuardOptions {
  readonly partitions?: number;
  readonly definition?: ServiceDefinition;
  readonly env?: Readonly<Record<string, string>>;
}

export class WriteGuardBench {
  readonly #services: RunningService[] = [];
  now = atWriting;

  private constructor(
    readonly fresh: FreshDatabase,
    readonly admin: PostgresDatabase,
    readonly log: EventLog,
    private readonly options: WriteGuardOptions,
  ) {}

  static async open(options: WriteGuardOptions = {}): Promise<WriteGuardBench> {
    const fresh = await freshDatabase();
    const admin = await openDatabase({ url: fresh.adminUrl, schema: 'write_guard', applicationName: 'test', poolMax: 3 });
    const log = new PostgresEventLog(admin);
    await log.start();
    await log.ensureTopics(topicsOf(writeGuard, options.partitions ?? 3));
    return new WriteGuardBench(fresh, admin, log, options);
  }

  async start(overrides: StartOverrides = {}): Promise<RunningService> {
    const config = loadConfig('write-guard', {
      LACUNA_DATABASE_URL: this.fresh.url,
      LACUNA_SERVICE_TOKEN: SERVICE_TOKEN,
      LACUNA_PARTITIONS: String(this.options.partitions ?? 3),
      LACUNA_LOG_LEVEL: 'silent',
      ...this.options.env,
    });
    const clock = { now: () => this.now };
    const service = await startService(this.options.definition ?? writeGuard, config, { clock, ...overrides });
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

  /** Publishes as other services would, and resolves when write-guard has handled all there is. */
  async tell(...messages: readonly EncodedEvent[]): Promise<void> {
    await this.log.publish(messages);
    await this.handled();
  }

  /** Until the positions, read first, are the ends of the topics, read after them. */
  async handled(): Promise<void> {
    await until('write-guard has handled all its topics', async () => {
      const positions = await this.rows<{ topic: string; partition: number; next_offset: string }>('select * from position');
      const at = new Map(positions.map((row) => [`${row.topic}/${row.partition}`, BigInt(row.next_offset)]));
      for (const topic of writeGuard.consumes) {
        for (const [partition, end] of await this.log.ends(topic)) if ((at.get(`${topic}/${partition}`) ?? 0n) !== end) return false;
      }
      return true;
    });
  }

  /** Past row-level security, as an operator looks. */
  rows<Row extends object>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    return this.admin.query<Row>(sql, parameters);
  }

  async published<T extends object>(definition: EventDefinition<T>): Promise<T[]> {
    const found = await this.messages(definition.topic);
    return found.flatMap((event) => (isEvent(definition, event) ? [event.data] : []));
  }

  async messages(topic: string): Promise<DecodedEvent[]> {
    const found: DecodedEvent[] = [];
    for (const [partition, end] of await this.log.ends(topic)) {
      for (let from = 0n; from < end;) {
        const messages = await this.log.read({ topic, partition }, from, READ_MAX);
        for (const message of messages) {
          const outcome = decodeEvent(message);
          if (!outcome.ok) throw new Error(`${topic}/${partition}: ${outcome.detail}`);
          found.push(outcome.event);
        }
        from = (messages.at(-1)?.offset ?? end) + 1n;
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
