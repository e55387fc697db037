/** One test's topics, messages and services, on the log under test. */
import { encodeEvent, type EncodedEvent, events, type MissRecorded, topics } from '@lacuna/events';
import {
  BatchLoop,
  type CrashHook,
  type CrashPoint,
  deadLetterTopic,
  type EventLog,
  type LogConsumer,
  type LogMessage,
  type PartitionHandler,
  SimulatedCrash,
  type TopicHandler,
} from '@lacuna/messaging';
import { PostgresOutboxStore, PostgresParkingStore, PostgresPositionStore } from '@lacuna/postgres';
import type { PostgresDatabase } from '@lacuna/postgres';
import { freshId } from '../builders/fresh.js';
import { aQuestionRerun } from '../builders/question-builders.js';
import { aMissRecorded } from '../builders/search-builders.js';
import { applyEffects, effectsOf } from './effect-table.js';
import { type DeliveryOutcome, deliveryProblems } from './delivery-problems.js';

export const PARTITIONS = 3;
/** Rebalances of a group are within it. */
const HANDLED_MS_MAX = 45_000;
const SETTLE_MS_MAX = 10_000;
const LOOK_MS = 25;

export interface ServiceSettings {
  readonly group?: string;
  readonly crash?: CrashHook;
  /** Replaces the log's publish and appendIn as the batch loop sees them. */
  readonly sending?: (log: EventLog) => Pick<EventLog, 'publish' | 'appendIn'>;
  /** Replaces the batch loop: for negative controls. */
  readonly loop?: (log: EventLog, handlers: ReadonlyMap<string, TopicHandler>) => PartitionHandler;
  readonly batchMessagesMax?: number;
  readonly tickMs?: number;
  /** How long messages may wait behind a dead letter of their key; null: they do not wait. */
  readonly parkedMsMax?: number | null;
}

/** One process of a service, as far as delivery sees it. */
export interface RunningService {
  readonly consumer: LogConsumer;
  /** Resolves with what ended it. */
  readonly fatal: Promise<Error>;
  stop(): Promise<void>;
}

export class Workbench {
  readonly topic = freshId('lacuna.test.in');
  readonly outTopic = freshId('lacuna.test.out');
  readonly group = freshId('group');
  readonly tenants = [freshId('tenant'), freshId('tenant')];
  /** Poison is handled from now on. */
  healed = false;
  readonly sent = new Map<string, number>();
  readonly #services: RunningService[] = [];
  readonly #logs: EventLog[] = [];
  #own: EventLog | null = null;

  constructor(
    readonly database: PostgresDatabase,
    private readonly openLog: (database: PostgresDatabase) => Promise<EventLog>,
  ) {}

  /** The test's own connection. */
  get log(): EventLog {
    if (!this.#own) throw new Error('the workbench is not set up');
    return this.#own;
  }

  async setUp(): Promise<void> {
    this.#own = await this.anotherLog();
    const names = [this.topic, this.outTopic, deadLetterTopic(this.topic, this.group), topics.deliveries];
    await this.#own.ensureTopics(names.map((topic) => ({ topic, partitions: PARTITIONS, cleanup: 'delete', retentionMs: -1 })));
  }

  async tearDown(): Promise<void> {
    await Promise.allSettled(this.#services.map((service) => service.stop()));
    await Promise.allSettled(this.#logs.map((log) => log.stop()));
  }

  async anotherLog(): Promise<EventLog> {
    const log = await this.openLog(this.database);
    await log.start();
    this.#logs.push(log);
    return log;
  }

  /** Keys `tenant:question`, alternating between the tenants. */
  keys(count: number, name = 'question'): string[] {
    return Array.from({ length: count }, (_, index) => `${this.tenants[index % this.tenants.length]}:${freshId(name)}`);
  }

  /** The next events of each key, round robin: numbered from where the key was. */
  nextEvents(keys: readonly string[], perKey: number): EncodedEvent[] {
    return Array.from({ length: perKey }, () => keys.map((key) => this.#nextEvent(key))).flat();
  }

  async send(keys: readonly string[], perKey: number): Promise<void> {
    await this.log.publish(this.nextEvents(keys, perKey));
  }

  async start(settings: ServiceSettings = {}): Promise<RunningService> {
    const log = await this.anotherLog();
    const group = settings.group ?? this.group;
    const handlers = new Map([[this.topic, this.#handler(group)]]);
    let tell: (error: Error) => void = () => undefined;
    const fatal = new Promise<Error>((resolve) => (tell = resolve));
    const consumer = await log.consume({
      group,
      topics: [this.topic],
      handler: settings.loop?.(log, handlers) ?? this.loop(log, handlers, settings),
      batchMessagesMax: settings.batchMessagesMax ?? 10,
      ...(settings.tickMs === undefined ? {} : { tickMs: settings.tickMs }),
      onFatal: (error) => tell(error),
    });
    const service = { consumer, fatal, stop: () => consumer.stop() };
    this.#services.push(service);
    return service;
  }

  loop(log: EventLog, handlers: ReadonlyMap<string, TopicHandler>, settings: ServiceSettings = {}): BatchLoop {
    const { parkedMsMax = 3_600_000 } = settings;
    const parking = parkedMsMax === null ? null : { store: new PostgresParkingStore(), topics: new Set([this.topic]), parkedMsMax };
    return new BatchLoop({
      group: settings.group ?? this.group,
      producer: 'verdict',
      database: this.database,
      log: settings.sending?.(log) ?? log,
      positions: new PostgresPositionStore(),
      outbox: new PostgresOutboxStore(),
      handlers,
      clock: { now: () => new Date() },
      logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
      retry: { delayMs: 5, delayMsMax: 50, attemptsMax: 4 },
      questionTopics: new Set([this.topic]),
      ...(parking ? { parking } : {}),
      ...(settings.crash ? { crash: settings.crash } : {}),
    });
  }

  /** A loop of its own for one partition, without a consumer. */
  looseLoop(settings: ServiceSettings = {}): BatchLoop {
    const group = settings.group ?? this.group;
    return this.loop(this.log, new Map([[this.topic, this.#handler(group)]]), settings);
  }

  /** Until the group's positions are the ends of the topic. */
  async handled(group = this.group): Promise<void> {
    await until(`group ${group} has handled ${this.topic}`, async () => {
      const [ends, positions] = [await this.log.ends(this.topic), await this.positions(group)];
      return [...ends].every(([partition, end]) => (positions.get(partition) ?? 0n) === end);
    });
  }

  async positions(group = this.group): Promise<Map<number, bigint>> {
    const rows = await this.database.query<{ partition: number; next_offset: string }>(
      `select partition, next_offset from position where "group" = $1 and topic = $2`,
      [group, this.topic],
    );
    return new Map(rows.map((row) => [row.partition, BigInt(row.next_offset)]));
  }

  async messages(topic: string): Promise<LogMessage[]> {
    const messages: LogMessage[] = [];
    for (const [partition, end] of await this.log.ends(topic)) {
      let next = 0n;
      while (next < end) {
        const part = await this.log.read({ topic, partition }, next, 500);
        messages.push(...part);
        next = (part.at(-1)?.offset ?? end) + 1n;
      }
    }
    return messages;
  }

  async outcome(group = this.group): Promise<DeliveryOutcome> {
    const outgoing = (await this.messages(this.outTopic)).filter((message) =>
      message.headers['ce_source']?.toString().endsWith(`/${group}`),
    );
    return { sent: this.sent, effects: await effectsOf(this.database, this.tenants, group, this.topic), outgoing };
  }

  /** What is wrong once all is handled; the last batch may take a moment from its commit to its acknowledgement. */
  async problems(group = this.group, settleMsMax = SETTLE_MS_MAX): Promise<string[]> {
    const endsAt = Date.now() + settleMsMax;
    for (;;) {
      const problems = deliveryProblems(await this.outcome(group));
      if (problems.length === 0 || Date.now() > endsAt) return problems;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  #nextEvent(key: string): EncodedEvent {
    const [tenantId = '', questionId = ''] = key.split(':');
    const misses = (this.sent.get(key) ?? 0) + 1;
    this.sent.set(key, misses);
    return { ...encodeEvent(events.missRecorded, aMissRecorded({ tenantId, questionId, misses }), 'search-runner'), topic: this.topic };
  }

  /** Every event gives rise to one; an event of a `poison` question fails its handler. */
  #handler(group: string): TopicHandler {
    return async (batch) => {
      await applyEffects(batch, group);
      return batch.events.map((event) => {
        const { tenantId, questionId, misses } = event.data as MissRecorded;
        if (questionId.startsWith('poison') && !this.healed) throw new TypeError('this one cannot be handled');
        const rerun = aQuestionRerun({ tenantId, questionId, causeId: `${group}:${misses}`, at: new Date().toISOString() });
        const encoded = encodeEvent(events.questionRerun, rerun, 'notifier');
        return { ...encoded, topic: this.outTopic, headers: { ...encoded.headers, ce_source: `test/${group}` } };
      });
    };
  }
}

/** Crashes once, at the `times`-th passage of a point. */
export function crashAt(point: CrashPoint, times = 2): CrashHook {
  let passages = 0;
  return (reached) => {
    if (reached !== point) return;
    passages += 1;
    if (passages === times) throw new SimulatedCrash(`at ${point}`);
  };
}

export async function until(what: string, isSo: () => Promise<boolean>, elapsedMsMax = HANDLED_MS_MAX): Promise<void> {
  const endsAt = Date.now() + elapsedMsMax;
  while (!(await isSo())) {
    if (Date.now() > endsAt) throw new Error(`not within ${elapsedMsMax} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
