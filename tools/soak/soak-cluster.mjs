import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as embedded from '@lacuna/embedded';
import { openDatabase } from '@lacuna/postgres';
import { loadSample, startSampleSource } from '@lacuna/sample-source';
import { startCluster } from '../cluster/start-cluster.mjs';
import { startKafka } from '../kafka.mjs';
import { startPostgres } from '../postgres.mjs';
import { startWireProxy } from './wire-proxy.mjs';

/** So short that a killed process's partitions move soon. */
const SESSION_TIMEOUT_MS = 6_000;
const START_TRIES_MAX = 30;

/**
 * Five services as processes over a Kafka and a PostgreSQL of their own; between them and PostgreSQL lies a wire that can be made bad.
 * @typedef {object} SoakCluster
 * @property {import('../cluster/start-cluster.mjs').Cluster} cluster
 * @property {import('../kafka.mjs').Kafka} kafka
 * @property {import('../postgres.mjs').Postgres} postgres
 * @property {import('./wire-proxy.mjs').WireProxy} wire
 * @property {number} sessionTimeoutMs
 * @property {readonly [string, string]} apiKeys
 * @property {() => Promise<void>} settle starts services that have ended, until all are ready
 * @property {() => Promise<void>} stop
 */

/** @param {{ folder: string, sampleRows: number, keep: boolean }} options keep: data of Kafka and PostgreSQL, for a run that goes on later @returns {Promise<SoakCluster>} */
export async function startSoakCluster({ folder, sampleRows, keep }) {
  mkdirSync(folder, { recursive: true });
  /** @type {(() => Promise<unknown>)[]} */
  const stops = [];
  const stop = async () => {
    for (const one of stops.splice(0).reverse()) await one();
  };
  try {
    const kafka = await startKafka({ own: true, ...(keep ? { dataFolder: join(folder, 'kafka') } : {}) });
    stops.push(() => kafka.stop());
    const postgres = await startPostgres({ own: true, ...(keep ? { dataFolder: join(folder, 'postgres') } : {}) });
    stops.push(() => postgres.stop());
    await loadSample(postgres.appUrl, { rows: sampleRows, extraStatements: embedded.lookupIndexes() });
    const source = await startSampleSource({ databaseUrl: postgres.appUrl });
    stops.push(() => source.stop());
    const direct = new URL(postgres.appUrl);
    const wire = await startWireProxy({ host: direct.hostname, port: Number(direct.port) });
    stops.push(() => wire.stop());
    const wired = new URL(postgres.appUrl);
    wired.port = String(wire.port);
    const cluster = await startCluster({
      folder: join(folder, 'services'),
      brokers: kafka.brokers,
      databaseUrl: wired.href,
      registers: embedded.registersFolder,
      sources: embedded.sourceVariables(postgres.appUrl, source.url),
      egress: [new URL(source.url).host],
      sessionTimeoutMs: SESSION_TIMEOUT_MS,
    });
    stops.push(() => cluster.stop());
    const database = await openDatabase({ url: postgres.appUrl, schema: 'gateway', applicationName: 'lacuna-soak', poolMax: 1 });
    const apiKeys = await embedded.makeDemonstrationKeys(database).finally(() => database.close());
    return { cluster, kafka, postgres, wire, sessionTimeoutMs: SESSION_TIMEOUT_MS, apiKeys, settle: () => startEnded(cluster), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** @param {import('../cluster/start-cluster.mjs').Cluster} cluster */
async function startEnded({ services }) {
  for (const service of Object.values(services)) {
    for (let tries = 1; service.hasEnded(); tries += 1) {
      try {
        await service.start();
      } catch (error) {
        if (tries >= START_TRIES_MAX) throw error;
        await sleep(1_000);
      }
    }
  }
}
