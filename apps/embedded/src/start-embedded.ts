/**
 * The embedded mode: every service in this process, on a PostgreSQL of its own, with the example registers and the sample source.
 * What is started is stopped in the reverse order, also when a later start fails.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type DocumentSource, parseRegisterFile, sqlIndexStatements } from '@lacuna/connectors';
import { gatewayDefinition } from '@lacuna/gateway';
import { notifier } from '@lacuna/notifier';
import { loadConfig, type RunningService, type ServiceDefinition, startService } from '@lacuna/runtime';
import { loadSample, type SampleSource, startSampleSource } from '@lacuna/sample-source';
import { searchRunner } from '@lacuna/search-runner';
import { verdict } from '@lacuna/verdict';
import { writeGuard } from '@lacuna/write-guard';
import { type Keys, openKeys } from './api-keys.js';
import { openDataFolder, type DataFolder } from './data-folder.js';
import { startWebhookReceiver, type WebhookReceiver } from './demonstrations/webhook-receiver.js';
import { startPostgresServer } from './postgres-server.js';
import { egressAllow, missingReferenceLines, registersFolder, registersIn } from './registers-folder.js';

export interface EmbeddedOptions {
  readonly port: number;
  readonly dataFolder: string;
  readonly registers: string;
  /** Rows of the sample table. */
  readonly sampleRows: number;
  readonly logLevel: string;
  /** Make another key for people, also when there are some. */
  readonly wantsNewKey: boolean;
  readonly say: (line: string) => void;
  /** A service cannot go on. */
  readonly onFatal: (error: Error) => void;
}

export interface Embedded extends Keys {
  readonly url: string;
  readonly sampleDatabaseUrl: string;
  readonly source: SampleSource;
  readonly webhooks: WebhookReceiver;
  /** Names of the registers in the folder. */
  readonly registers: readonly string[];
  stop(): Promise<void>;
}

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
  say(`PostgreSQL: 127.0.0.1:${postgres.port}, data in ${folder.postgres}${linkNote(folder.postgres, postgres.realFolder)}`);
  const loaded = await loadSample(postgres.appUrl, { rows: options.sampleRows, extraStatements: lookupIndexes() });
  say(`sample table: ${loaded.rows.toLocaleString('en')} service requests, ${loaded.outcome} (${loaded.elapsedMs} ms)`);
  const source = await startSampleSource({ databaseUrl: postgres.appUrl });
  stops.push(() => source.stop());
  const webhooks = await startWebhookReceiver(folder.webhookSecret);
  stops.push(() => webhooks.stop());
  say(`sample source: ${source.url}; webhook receiver: ${webhooks.url}`);
  const environment = environmentOf(options, folder, postgres.appUrl, source.url, webhooks.url);
  // Registers' references are read from the environment of this process: the user's own variables are there already.
  Object.assign(process.env, sourceVariables(postgres.appUrl, source.url));
  const registers = registersIn(options.registers);
  say(`registers: ${options.registers} (${registers.length} read at this start)`);
  missingReferenceLines(registers, process.env).forEach(say);
  const url = await startServices(environment, options, stops);
  const keys = await openKeys(postgres.appUrl, folder, options.wantsNewKey);
  return { url, registers: registers.map(({ name }) => name), sampleDatabaseUrl: postgres.appUrl, source, webhooks, ...keys };
}

const linkNote = (folder: string, real: string): string =>
  folder === real ? '' : ` (a link to ${real}, which PostgreSQL's user can open)`;

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
    LACUNA_REGISTERS: options.registers,
    LACUNA_SIGNING_KEY_FILE: folder.signingKeyFile,
    LACUNA_SIGNING_PUBLIC_KEY_FILE: `${folder.signingKeyFile}.pub`,
    LACUNA_WEBHOOK_URL: webhookUrl,
    LACUNA_WEBHOOK_SECRET: folder.webhookSecret,
    LACUNA_EGRESS_ALLOW: egressAllow(
      [sampleUrl, webhookUrl].map((address) => new URL(address).host),
      process.env,
    ),
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

/** Statements that make the sample table readable by exact lookup, as the example registers need it whatever folder is used. */
export function lookupIndexes(): string[] {
  const file = `${registersFolder}/service-requests.yaml`;
  const parsed = parseRegisterFile(readFileSync(file, 'utf8'), file);
  if (!parsed.ok) throw new Error(parsed.problems.map(({ reason }) => reason).join('; '));
  const sources: readonly DocumentSource[] = parsed.register.sources;
  return sources
    .flatMap((source) => sqlIndexStatements(parsed.register, source))
    .map((statement) => statement.replace('create index concurrently', 'create index'));
}
