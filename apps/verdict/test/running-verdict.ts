/** verdict as it runs, on a database and a Postgres log of its own. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EncodedEvent, encodeEvent, events, type ReceiptAppended, topics, type VerdictReached } from '@lacuna/events';
import type { Register } from '@lacuna/evidence';
import { type EventLog, SimulatedCrash } from '@lacuna/messaging';
import { openDatabase, PostgresEventLog } from '@lacuna/postgres';
import { loadConfig, type RunningService, startService, type StartOverrides } from '@lacuna/runtime';
import { aRegisterPublished, eventsOn, eventually, freshDatabase, handled, messagesOn } from '@lacuna/testing';
import { verdict } from '../src/index.js';

export type Bench = Awaited<ReturnType<typeof bench>>;

export async function bench({ partitions = 3 } = {}) {
  const fresh = await freshDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'lacuna-keys-'));
  const keyFile = join(folder, 'receipts.pem');
  const database = await openDatabase({ url: fresh.url, schema: verdict.schema, applicationName: 'spec', poolMax: 4 });
  const admin = await openDatabase({ url: fresh.adminUrl, schema: verdict.schema, applicationName: 'spec admin', poolMax: 2 });
  const log: EventLog = new PostgresEventLog(database);
  const running = new Set<RunningService>();
  const settings = {
    LACUNA_DATABASE_URL: fresh.url,
    LACUNA_SIGNING_KEY_FILE: keyFile,
    LACUNA_PARTITIONS: String(partitions),
    LACUNA_LOG_LEVEL: 'silent',
  };
  const start = async (overrides: StartOverrides = {}) => {
    const service = await startService(verdict, loadConfig('verdict', settings), overrides);
    running.add(service);
    return service;
  };
  const stop = async (service: RunningService) => {
    running.delete(service);
    await service.stop();
  };
  return {
    ...reading(log),
    log,
    database,
    admin,
    start,
    stop,
    publicKey: () => readFile(`${keyFile}.pub`, 'utf8'),
    publish: (...sent: EncodedEvent[]) => log.publish(sent),
    handled: () => handled(database, log, verdict.name, verdict.consumes),
    /** Starts, and resolves `crashed` when it has been ended at the point; what it held stays as a killed process leaves it. */
    crashAt: async (point: string, topic: string, overrides: StartOverrides = {}) => {
      let pass = () => undefined as void;
      const passed = new Promise<void>((resolve) => (pass = resolve));
      const crash = (at: string, context: string) => {
        if (at !== point || !context.startsWith(topic)) return;
        pass();
        throw new SimulatedCrash(point);
      };
      const service = await start({ ...overrides, crash });
      return { crashed: passed.then(() => stop(service)) };
    },
    close: async () => {
      await Promise.allSettled([...running].map((service) => service.stop()));
      await log.stop();
      await Promise.all([database.close(), admin.close()]);
      await fresh.drop();
      await rm(folder, { recursive: true });
    },
  };
}

function reading(log: EventLog) {
  const of = async <T>(topic: string, type: string, tenantId?: string) =>
    (await eventsOn(log, topic))
      .filter((event) => event.type === type)
      .map((event) => event.data as T & { tenantId: string })
      .filter((data) => tenantId === undefined || data.tenantId === tenantId);
  const verdictsOf = (tenantId?: string) => of<VerdictReached>(topics.verdicts, events.verdictReached.type, tenantId);
  return {
    verdictsOf,
    receiptsOf: (tenantId?: string) => of<ReceiptAppended>(topics.receipts, events.receiptAppended.type, tenantId),
    /** Messages of both topics, as text. */
    publishedBytes: async (tenantId: string) =>
      [...(await messagesOn(log, topics.verdicts)), ...(await messagesOn(log, topics.receipts))]
        .map((message) => `${message.headers['ce_type']} ${message.headers['ce_id']} ${message.value}`)
        .filter((text) => text.includes(tenantId)),
    /** Resolves when so many verdicts are reached. */
    reached: async (count: number, tenantId?: string) => {
      await eventually(`${count} verdicts are reached`, async () => (await verdictsOf(tenantId)).length >= count);
      return verdictsOf(tenantId);
    },
  };
}

export const published = (tenantId: string, register: Register): EncodedEvent =>
  encodeEvent(events.registerPublished, aRegisterPublished({ tenantId }, register), 'gateway');

/** As Kafka is: nothing is appended in the service's own transaction. */
export function withoutAppend({ database }: Bench): EventLog {
  const log = new PostgresEventLog(database);
  return new Proxy(log, {
    get: (target, name) => {
      if (name === 'appendIn') return null;
      if (name === 'publish') return (messages: Parameters<EventLog['publish']>[0]) => target.publish(messages);
      const value = Reflect.get(target, name, target) as unknown;
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
