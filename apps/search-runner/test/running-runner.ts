/** search-runner as it runs, on a database and a Postgres log of its own, beside a source. */
import { type EncodedEvent, encodeEvent, events, type PageRead, type SearchEnded, type SearchStarted, topics } from '@lacuna/events';
import { SimulatedCrash } from '@lacuna/messaging';
import type { EventLog } from '@lacuna/messaging';
import { openDatabase, PostgresEventLog, type PostgresDatabase } from '@lacuna/postgres';
import { loadConfig, type RunningService, startService, type StartOverrides } from '@lacuna/runtime';
import { aRegisterPublished, eventsOn, eventually, freshDatabase, handled, messagesOn } from '@lacuna/testing';
import { decide, foldGeneration, type Register, type SearchEvent } from '@lacuna/evidence';
import { canonicalJson, sha256Hex } from '@lacuna/receipts';
import type { QuestionAsked, QuestionRerun } from '@lacuna/events';
import { searchRunner } from '../src/index.js';
import { pagedSource, type PagedSource } from './paged-source.js';
import { SOURCE_URL } from './sample-register.js';

export type Bench = Awaited<ReturnType<typeof bench>>;

export async function bench() {
  const fresh = await freshDatabase();
  const source: PagedSource = await pagedSource();
  process.env[SOURCE_URL] = source.url;
  const database = await openDatabase({ url: fresh.url, schema: searchRunner.schema, applicationName: 'spec', poolMax: 4 });
  const admin = await openDatabase({ url: fresh.adminUrl, schema: searchRunner.schema, applicationName: 'spec admin', poolMax: 2 });
  const log: EventLog = new PostgresEventLog(database);
  const running = new Set<RunningService>();
  const settings = {
    LACUNA_DATABASE_URL: fresh.url,
    LACUNA_WRITE_GUARD_URL: source.url,
    LACUNA_SERVICE_TOKEN: 'a-service-token!',
    LACUNA_EGRESS_ALLOW: source.host,
    LACUNA_LOG_LEVEL: 'silent',
  };
  const start = async (overrides: StartOverrides = {}) => {
    const service = await startService(searchRunner, loadConfig('search-runner', settings), overrides);
    running.add(service);
    return service;
  };
  const stop = async (service: RunningService) => {
    running.delete(service);
    await service.stop();
  };
  return {
    ...publishing(log, database),
    ...reading(log),
    log,
    database,
    admin,
    source,
    start,
    stop,
    /** Starts, and resolves when it has been ended at the point; what it held stays as a killed process leaves it. */
    crashAt: async (point: string, overrides: StartOverrides = {}) => {
      let crashed = () => undefined as void;
      const passed = new Promise<void>((resolve) => (crashed = resolve));
      const crash = (at: string) => {
        if (at !== point) return;
        crashed();
        throw new SimulatedCrash(point);
      };
      const service = await start({ ...overrides, crash });
      return { crashed: passed.then(() => stop(service)) };
    },
    /** Ends all leases now, as time does. */
    expireLeases: () => admin.query(`update job set due_at = clock_timestamp(), leased_until = clock_timestamp()`),
    /** As if all jobs had been there for so long. */
    age: (ms: number) => admin.query(`update job set created_at = created_at - $1 * interval '1 ms'`, [ms]),
    close: async () => {
      await Promise.allSettled([...running].map((service) => service.stop()));
      await log.stop();
      await Promise.all([database.close(), admin.close(), source.close()]);
      await fresh.drop();
    },
  };
}

function publishing(log: EventLog, database: PostgresDatabase) {
  return {
    publish: (...sent: EncodedEvent[]) => log.publish(sent),
    handled: () => handled(database, log, searchRunner.name, searchRunner.consumes),
  };
}

function reading(log: EventLog) {
  const searched = async <T extends object>(type: string, tenantId?: string) =>
    (await eventsOn(log, topics.searches))
      .filter((event) => event.type === type)
      .map((event) => event.data as T & { tenantId: string })
      .filter((data) => tenantId === undefined || data.tenantId === tenantId);
  const endsOf = (tenantId?: string) => searched<SearchEnded>(events.searchEnded.type, tenantId);
  return {
    startedBytes: async () =>
      (await messagesOn(log, topics.searches))
        .filter((message) => message.headers['ce_type']?.toString() === events.searchStarted.type)
        .map((message) => `${JSON.stringify(Object.entries(message.headers).map(String))} ${message.value}`),
    startsOf: (tenantId?: string) => searched<SearchStarted>(events.searchStarted.type, tenantId),
    pagesOf: (tenantId?: string) => searched<PageRead>(events.pageRead.type, tenantId),
    endsOf,
    /** What the core says of a tenant's only generation, from the log alone. */
    verdictOn: async (register: Register, tenantId: string) => {
      const types: Record<string, string> = { [events.searchStarted.type]: 'search.started', [events.pageRead.type]: 'page.read' };
      const all = (await eventsOn(log, topics.searches)).filter(({ data }) => (data as PageRead).tenantId === tenantId);
      const search = all.map(({ type, data }) => ({ type: types[type] ?? 'search.ended', data })) as unknown as SearchEvent[];
      return decide(foldGeneration(search, hashOf), register, new Date().toISOString());
    },
    /** Resolves when so many searches have ended. */
    ended: async (count: number, tenantId?: string) => {
      await eventually(`${count} searches have ended`, async () => (await endsOf(tenantId)).length >= count);
      return endsOf(tenantId);
    },
  };
}

const hashOf = (page: object): string => sha256Hex(canonicalJson(JSON.parse(JSON.stringify({ ...page, hash: undefined }))));

export const asked = (question: QuestionAsked): EncodedEvent => encodeEvent(events.questionAsked, question, 'gateway');
export const askedAgain = (rerun: QuestionRerun): EncodedEvent => encodeEvent(events.questionRerun, rerun, 'gateway');
export const published = (tenantId: string, register: Register): EncodedEvent =>
  encodeEvent(events.registerPublished, aRegisterPublished({ tenantId }, register), 'gateway');

/** `ledger end-signalled 2` per source: its stop and its pages. */
export const toldEnd = ({ sources }: SearchEnded): string =>
  sources.map(({ source, stopReason, pages }) => `${source} ${stopReason} ${pages}`).join(', ');
