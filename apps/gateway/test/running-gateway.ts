/** A gateway as it runs, on a database and a Postgres log of its own, driven over HTTP. */
import {
  events,
  topics,
  type EncodedEvent,
  type EventDefinition,
  encodeEvent,
  decodeEvent,
  type DecodedEvent,
  type TopicName,
} from '@lacuna/events';
import type { Database, EventLog, LogMessage } from '@lacuna/messaging';
import { DATABASE, EVENT_LOG, loadConfig, startService, type RunningService, type StartOverrides } from '@lacuna/runtime';
import { freshDatabase } from '@lacuna/testing';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import request from 'supertest';
import { issueApiKey, type Role } from '../src/access/api-keys.js';
import { gatewayDefinition } from '../src/gateway.definition.js';
import { ReadModelPosition } from '../src/projections/read-model-position.js';
import { aRegisterFile } from './a-register-file.js';

const HANDLED_MS_MAX = 10_000;
const MESSAGES_MAX = 1_000;

export interface GatewayOptions {
  readonly tenants?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  /** What replaces parts of the service, on the database at this address. */
  readonly overrides?: (url: string) => Promise<{ overrides: StartOverrides; close: () => Promise<void> }>;
  /** Another way to the database than its own address. */
  readonly through?: (url: string) => string;
}

export type RunningGateway = Awaited<ReturnType<typeof startGateway>>;

export async function startGateway({ tenants = ['t1', 't2'], files, overrides, through = (url) => url }: GatewayOptions = {}) {
  const fresh = await freshDatabase();
  const replaced = await overrides?.(fresh.url);
  const folder = await mkdtemp(join(tmpdir(), 'lacuna-registers-'));
  for (const [name, text] of Object.entries(files ?? { 'service-requests.yaml': aRegisterFile() }))
    await writeFile(join(folder, name), text);
  const settings = {
    LACUNA_DATABASE_URL: through(fresh.url),
    LACUNA_REGISTERS: folder,
    LACUNA_TENANTS: tenants.join(','),
    LACUNA_LOG_LEVEL: 'silent',
  };
  const start = () => startService(gatewayDefinition, loadConfig('gateway', settings), replaced?.overrides);
  const clean = async () => {
    await replaced?.close();
    await rm(folder, { recursive: true });
    await fresh.drop();
  };
  const service = await start().catch(async (error: unknown) => {
    await clean();
    throw error;
  });
  return { ...driving(service), fresh, folder, start, stop: () => service.stop().then(clean) };
}

function driving(service: RunningService) {
  const { app, url } = service;
  const log = app.get<EventLog>(EVENT_LOG);
  const database = app.get<Database>(DATABASE);
  return {
    app,
    url,
    log,
    database,
    api: request(url),
    /** A key of a tenant, as the header that carries it. */
    keyOf: async (tenantId: string, roles: readonly Role[] = ['asker', 'reviewer'], principal = 'ann') => {
      const key = await issueApiKey(database, { tenantId, principal, roles, now: new Date() });
      return { Authorization: `Bearer ${key}` };
    },
    /** Publishes as another service would, and resolves when the read model has them. */
    publish: async (...encoded: EncodedEvent[]) => {
      await log.publish(encoded);
      for (const topic of new Set(encoded.map((event) => event.topic))) {
        if (!(await app.get(ReadModelPosition).reaches(topic, HANDLED_MS_MAX))) throw new Error(`${topic} was not handled`);
      }
    },
    published: (topic: TopicName) => publishedOn(log, topic),
  };
}

export const encoded = <T extends object>(definition: EventDefinition<T>, data: T): EncodedEvent =>
  encodeEvent(definition, data, 'verdict');

async function publishedOn(log: EventLog, topic: TopicName): Promise<DecodedEvent[]> {
  const messages: LogMessage[] = [];
  for (const partition of (await log.ends(topic)).keys()) messages.push(...(await log.read({ topic, partition }, 0n, MESSAGES_MAX)));
  return messages.map((message) => {
    const outcome = decodeEvent(message);
    if (!outcome.ok) throw new Error(outcome.detail);
    return outcome.event;
  });
}

export const aQuestion = (changes: object = {}) => ({
  register: 'service-requests',
  identifiers: [
    { name: 'account', value: 'ACC-000001' },
    { name: 'reference', value: 'SR-1', provenance: 'person' },
  ],
  ...changes,
});

export { events, topics };
