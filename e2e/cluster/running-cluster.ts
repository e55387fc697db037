/** Five services as processes over a Kafka and a PostgreSQL of their own, with the sample table and source: for one spec file. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  GatewayClient,
  lookupIndexes,
  makeDemonstrationKeys,
  registersFolder,
  sourceVariables,
  startWebhookReceiver,
} from '@lacuna/embedded';
import { openDatabase } from '@lacuna/postgres';
import { loadSample, type SampleSource, startSampleSource } from '@lacuna/sample-source';
import { type Cluster, startCluster } from '../../tools/cluster/start-cluster.mjs';
import { startKafka } from '../../tools/kafka.mjs';
import { startPostgres } from '../../tools/postgres.mjs';

/** So short that a killed process's partitions move while a test waits. */
const SESSION_TIMEOUT_MS = 6_000;

export interface RunningCluster {
  readonly cluster: Cluster;
  readonly kafka: Awaited<ReturnType<typeof startKafka>>;
  readonly postgres: Awaited<ReturnType<typeof startPostgres>>;
  readonly source: SampleSource;
  readonly askers: readonly [GatewayClient, GatewayClient];
  readonly apiKey: string;
  readonly webhookFor: (caseId: string) => Promise<boolean>;
  stop(): Promise<void>;
}

export interface RunningClusterOptions {
  readonly sampleRows: number;
  /** Where search-runner reaches the sample table, when not directly. */
  readonly sampleDatabaseUrl?: (direct: string) => Promise<string>;
}

export async function runningCluster(options: RunningClusterOptions): Promise<RunningCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'lacuna-cluster-'));
  const stops: (() => Promise<unknown>)[] = [async () => rmSync(folder, { recursive: true, force: true })];
  const stop = async () => {
    for (const one of stops.splice(0).reverse()) await one();
  };
  try {
    const [kafka, postgres] = await Promise.all([startKafka({ own: true }), startPostgres({ own: true })]);
    stops.push(() => Promise.all([kafka.stop(), postgres.stop()]));
    await loadSample(postgres.appUrl, { rows: options.sampleRows, extraStatements: lookupIndexes() });
    const source = await startSampleSource({ databaseUrl: postgres.appUrl });
    stops.push(() => source.stop());
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    const receiver = await startWebhookReceiver(secret);
    stops.push(() => receiver.stop());
    const sampleDatabaseUrl = (await options.sampleDatabaseUrl?.(postgres.appUrl)) ?? postgres.appUrl;
    const cluster = await startCluster({
      folder,
      brokers: kafka.brokers,
      databaseUrl: postgres.appUrl,
      registers: registersFolder,
      sources: sourceVariables(sampleDatabaseUrl, source.url),
      egress: [new URL(source.url).host, new URL(receiver.url).host],
      webhook: { url: receiver.url, secret },
      sessionTimeoutMs: SESSION_TIMEOUT_MS,
    });
    stops.push(() => cluster.stop());
    const keys = await demonstrationKeys(postgres.appUrl);
    const askers = keys.map((key) => new GatewayClient(cluster.url, key)) as [GatewayClient, GatewayClient];
    return { cluster, kafka, postgres, source, askers, apiKey: keys[0], webhookFor: receiver.webhookFor, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function demonstrationKeys(url: string): Promise<[string, string]> {
  const database = await openDatabase({ url, schema: 'gateway', applicationName: 'lacuna-e2e', poolMax: 1 });
  try {
    return await makeDemonstrationKeys(database);
  } finally {
    await database.close();
  }
}
