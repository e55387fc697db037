/**
 * The embedded mode: every service in this process, on a PostgreSQL of its own, with the example registers and the sample source.
 * What is started is stopped in the reverse order, also when a later start fails.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type DocumentSource, parseRegisterFile, sqlIndexStatements } from '@lacuna/connectors';
import { gatewayDefinition, issueApiKey } from '@lacuna/gateway';
import { notifier } from '@lacuna/notifier';
import { openDatabase, type PostgresDatabase } from '@lacuna/postgres';
import { loadConfig, type RunningService, type ServiceDefinition, startService } from '@lacuna/runtime';
import { loadSample, type SampleSource, startSampleSource } from '@lacuna/sample-source';
import { searchRunner } from '@lacuna/search-runner';
import { verdict } from '@lacuna/verdict';
import { writeGuard } from '@lacuna/write-guard';
import { openDataFolder, type DataFolder } from './data-folder.js';
import { startWebhookReceiver, type WebhookReceiver } from './demonstrations/webhook-receiver.js';
import { startPostgresServer } from './postgres-server.js';

export const registersFolder = fileURLToPath(new URL('../../../registers', import.meta.url));

export interface EmbeddedOptions {
  readonly port: number;
  readonly dataFolder: string;
  /** Rows of the sample table. */
  readonly sampleRows: number;
  readonly logLevel: string;
  readonly say: (line: string) => void;
  /** A service cannot go on. */
  readonly onFatal: (error: Error) => void;
}

export interface Embedded {
  readonly url: string;
  readonly sampleDatabaseUrl: string;
  readonly source: SampleSource;
  readonly webhooks: WebhookReceiver;
  /** Two keys of the tenant `default`, for the demonstrations. */
  readonly demonstrationKeys: readonly [string, string];
  /** The key for people: only at the first start on this data. */
  readonly newApiKey: string | null;
  stop(): Promise<void>;
}

const TENANT = 'default';

export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const one of stops.splice(0).reverse()) await one();
  };
  try {
    return { ...(await startParts(options, stops)), stop };
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
}

async function startParts(options: EmbeddedOptions, stops: (() => Promise<unknown>)[]): Promise<Omit<Embedded, 'stop'>> {
  const { say } = options;
  const folder = openDataFolder(options.dataFolder);
  const postgres = await startPostgresServer({ dataFolder: folder.postgres });
  stops.push(() => postgres.stop());
  say(`PostgreSQL: 127.0.0.1:${postgres.port}, data in ${folder.postgres}`);
  const loaded = await loadSample(postgres.appUrl, { rows: options.sampleRows, extraStatements: lookupIndexes() });
  say(`sample table: ${loaded.rows.toLocaleString('en')} service requests, ${loaded.outcome} (${loaded.elapsedMs} ms)`);
  const source = await startSampleSource({ databaseUrl: postgres.appUrl });
  stops.push(() => source.stop());
  const webhooks = await startWebhookReceiver(folder.webhookSecret);
  stops.push(() => webhooks.stop());
  say(`sample source: ${source.url}; webhook receiver: ${webhooks.url}`);
  const environment = environmentOf(options, folder, postgres.appUrl, source.url, webhooks.url);
  Object.assign(process.env, sourceVariables(postgres.appUrl, source.url));
  const url = await startServices(environment, options, stops);
  const keys = await openKeys(postgres.appUrl, folder);
  return { url, sampleDatabaseUrl: postgres.appUrl, source, webhooks, ...keys };
}

/** The variables that the example registers name. */
export const sourceVariables = (sampleDatabaseUrl: string, sampleUrl: string): Record<string, string> => ({
  LACUNA_SOURCE_SAMPLE_DATABASE_URL: sampleDatabaseUrl,
  LACUNA_SOURCE_SAMPLE_URL: sampleUrl,
});

function environmentOf(
  options: EmbeddedOptions,
  folder: DataFolder,
  databaseUrl: string,
  sampleUrl: string,
  webhookUrl: string,
): Record<string, string> {
  return {
    LACUNA_DATABASE_URL: databaseUrl,
    LACUNA_LOG: 'postgres',
    LACUNA_SERVICE_TOKEN: randomBytes(32).toString('base64url'),
    LACUNA_REGISTERS: registersFolder,
    LACUNA_SIGNING_KEY_FILE: folder.signingKeyFile,
    LACUNA_SIGNING_PUBLIC_KEY_FILE: `${folder.signingKeyFile}.pub`,
    LACUNA_WEBHOOK_URL: webhookUrl,
    LACUNA_WEBHOOK_SECRET: folder.webhookSecret,
    LACUNA_EGRESS_ALLOW: [sampleUrl, webhookUrl].map((address) => new URL(address).host).join(','),
    LACUNA_LOG_LEVEL: options.logLevel,
  };
}

/** write-guard before search-runner, which reads its slots; gateway last, so that what it accepts is worked on. */
async function startServices(
  environment: Record<string, string>,
  options: EmbeddedOptions,
  stops: (() => Promise<unknown>)[],
): Promise<string> {
  const start = async (definition: ServiceDefinition, more: Record<string, string> = {}): Promise<RunningService> => {
    const config = loadConfig(definition.name, { ...environment, ...more });
    const running = await startService(definition, config, { onFatal: options.onFatal });
    stops.push(() => running.stop());
    return running;
  };
  const guard = await start(writeGuard);
  const others = [await start(verdict), await start(notifier), await start(searchRunner, { LACUNA_WRITE_GUARD_URL: guard.url })];
  const gateway = await start(gatewayDefinition, { LACUNA_HTTP_PORT: String(options.port) });
  options.say(
    `services: ${['write-guard', 'verdict', 'notifier', 'search-runner', 'gateway'].join(', ')} (${others.length + 2} in this process)`,
  );
  return gateway.url;
}

/** Statements that make the sample table readable by exact lookup, as the registers' sources need it. */
export function lookupIndexes(): string[] {
  const file = `${registersFolder}/service-requests.yaml`;
  const parsed = parseRegisterFile(readFileSync(file, 'utf8'), file);
  if (!parsed.ok) throw new Error(parsed.problems.map(({ reason }) => reason).join('; '));
  const sources: readonly DocumentSource[] = parsed.register.sources;
  return sources
    .flatMap((source) => sqlIndexStatements(parsed.register, source))
    .map((statement) => statement.replace('create index concurrently', 'create index'));
}

/** Keys are made at the first start on this data; the demonstrations' own are kept in the data folder, the person's is printed once. */
async function openKeys(databaseUrl: string, folder: DataFolder): Promise<Pick<Embedded, 'demonstrationKeys' | 'newApiKey'>> {
  try {
    const demonstrationKeys = JSON.parse(readFileSync(folder.demonstrationKeysFile, 'utf8')) as [string, string];
    return { demonstrationKeys, newApiKey: null };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const database = await openDatabase({ url: databaseUrl, schema: 'gateway', applicationName: 'lacuna-embedded', poolMax: 1 });
  try {
    const demonstrationKeys = await makeDemonstrationKeys(database);
    const now = new Date();
    const newApiKey = await issueApiKey(database, {
      tenantId: TENANT,
      principal: 'owner',
      roles: ['asker', 'reviewer', 'approver', 'admin'],
      now,
    });
    writeFileSync(folder.demonstrationKeysFile, JSON.stringify(demonstrationKeys), { mode: 0o600 });
    return { demonstrationKeys, newApiKey };
  } finally {
    await database.close();
  }
}

export async function makeDemonstrationKeys(database: PostgresDatabase): Promise<[string, string]> {
  const key = (principal: string) => issueApiKey(database, { tenantId: TENANT, principal, roles: ['asker', 'reviewer'], now: new Date() });
  return [await key('demonstration-one'), await key('demonstration-two')];
}
