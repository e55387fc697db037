import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root, setUp, SetUpError } from './setup.mjs';

const HELP = `npm run cluster -- [options]

Starts Apache Kafka, PostgreSQL, the sample source and the five services as processes on this machine, and stays up until Ctrl-C.

  --port <number>   port of the API on 127.0.0.1 (8080)
  --data <folder>   where PostgreSQL, Kafka, keys and logs are kept between starts (.lacuna/cluster)
  --help            this text

Kafka is found in this order: KAFKA_BROKERS, Docker, Maven and Java.
`;

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8080' },
    data: { type: 'string', default: join(root, '.lacuna', 'cluster') },
    help: { type: 'boolean', short: 'h' },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit(0);
}

/** @type {(() => Promise<unknown> | void)[]} */
const stops = [];
let ending = false;
/** @param {number} code */
const end = async (code) => {
  if (ending) process.exit(130);
  ending = true;
  for (const stop of stops.splice(0).reverse()) await stop();
  process.exit(code);
};
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.on(signal, () => void end(0));

try {
  await setUp();
  await run(Number(values.port), resolve(values.data));
} catch (error) {
  console.error(error instanceof SetUpError ? error.message : /** @type {Error} */ (error).message);
  await end(1);
}

/** @param {number} port @param {string} data */
async function run(port, data) {
  const { startKafka } = await import('./kafka.mjs');
  const { startPostgres } = await import('./postgres.mjs');
  const { lookupIndexes, makeDemonstrationKeys, registersFolder, sourceVariables, startWebhookReceiver } = await import('@lacuna/embedded');
  const { loadSample, startSampleSource } = await import('@lacuna/sample-source');
  const { openDatabase } = await import('@lacuna/postgres');
  const { startCluster } = await import('./cluster/start-cluster.mjs');
  mkdirSync(data, { recursive: true });
  const kafka = await startKafka({ dataFolder: join(data, 'kafka'), say: console.log });
  stops.push(() => kafka.stop());
  console.log(`Kafka: ${kafka.kind}, ${kafka.brokers}`);
  const postgres = await startPostgres({ dataFolder: join(data, 'postgres') });
  stops.push(() => postgres.stop());
  console.log(`PostgreSQL: ${new URL(postgres.appUrl).host}`);
  await loadSample(postgres.appUrl, { extraStatements: lookupIndexes() });
  const source = await startSampleSource({ databaseUrl: postgres.appUrl });
  stops.push(() => source.stop());
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const receiver = await startWebhookReceiver(secret);
  stops.push(() => receiver.stop());
  const cluster = await startCluster({
    folder: join(data, 'services'),
    brokers: kafka.brokers,
    databaseUrl: postgres.appUrl,
    registers: registersFolder,
    sources: sourceVariables(postgres.appUrl, source.url),
    egress: [new URL(source.url).host, new URL(receiver.url).host],
    webhook: { url: receiver.url, secret },
    port,
    say: console.log,
  });
  stops.push(() => cluster.stop());
  const database = await openDatabase({ url: postgres.appUrl, schema: 'gateway', applicationName: 'lacuna-cluster', poolMax: 1 });
  const [key] = await makeDemonstrationKeys(database);
  await database.close();
  console.log(`API key of this run (roles asker, reviewer): ${key}`);
  console.log(`Lacuna answers on ${cluster.url} (docs: ${cluster.url}/docs); logs in ${join(data, 'services')}. Ctrl-C stops it.`);
}
