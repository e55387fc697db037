import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root, setUp, SetUpError } from './setup.mjs';

const HELP = `npm run cluster -- [options]

Starts Apache Kafka, PostgreSQL, the sample source and the five services as processes on this machine, and stays up until Ctrl-C.

  --port <number>       port of the API on 127.0.0.1 (8080)
  --data <folder>       where PostgreSQL, Kafka, keys and logs are kept between starts (.lacuna/cluster)
  --registers <folder>  folder of the register files (LACUNA_REGISTERS, else registers/ of the repository)
  --help                this text

Kafka is found in this order: KAFKA_BROKERS, Docker, Maven and Java.
`;

const options = optionsOf(process.argv.slice(2));
if (options.help) {
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
  console.log('stopping ...');
  for (const stop of stops.splice(0).reverse()) await stop();
  console.log('stopped.');
  process.exit(code);
};
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.on(signal, () => void end(0));

try {
  await setUp();
  await run(options);
} catch (error) {
  console.error(error instanceof SetUpError ? error.message : /** @type {Error} */ (error).message);
  await end(1);
}

/** @param {string[]} args */
function optionsOf(args) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        port: { type: 'string', default: '8080' },
        data: { type: 'string', default: join(root, '.lacuna', 'cluster') },
        registers: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    const port = Number(values.port);
    if (!/^\d+$/.test(values.port) || port > 65_535) throw new Error('--port must be a whole number from 0 to 65535');
    const registers = resolve(values.registers || process.env.LACUNA_REGISTERS || join(root, 'registers'));
    if (!statSync(registers, { throwIfNoEntry: false })?.isDirectory())
      throw new Error(`${registers} is no folder of register files: name one with --registers or LACUNA_REGISTERS`);
    return { port, data: resolve(values.data), registers, help: values.help };
  } catch (error) {
    console.error(`cluster: ${/** @type {Error} */ (error).message}`);
    process.exit(2);
  }
}

/** @param {{ port: number, data: string, registers: string }} options */
async function run({ port, data, registers }) {
  const { startKafka } = await import('./kafka.mjs');
  const { startPostgres } = await import('./postgres.mjs');
  const embedded = await import('@lacuna/embedded');
  const { loadSample, startSampleSource } = await import('@lacuna/sample-source');
  const { openDatabase } = await import('@lacuna/postgres');
  const { startCluster } = await import('./cluster/start-cluster.mjs');
  stops.push(embedded.claimDataFolder(data));
  const found = embedded.registersIn(registers);
  const kafka = await startKafka({ dataFolder: join(data, 'kafka'), say: console.log });
  stops.push(() => kafka.stop());
  console.log(`Kafka: ${kafka.kind}, ${kafka.brokers}`);
  const postgres = await startPostgres({ dataFolder: join(data, 'postgres') });
  stops.push(() => postgres.stop());
  console.log(`PostgreSQL: ${new URL(postgres.appUrl).host}`);
  await loadSample(postgres.appUrl, { extraStatements: embedded.lookupIndexes() });
  const source = await startSampleSource({ databaseUrl: postgres.appUrl });
  stops.push(() => source.stop());
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const receiver = await embedded.startWebhookReceiver(secret);
  stops.push(() => receiver.stop());
  const ownSources = embedded.sourceVariables(postgres.appUrl, source.url);
  console.log(`registers: ${registers} (${found.length} read at this start)`);
  embedded.missingReferenceLines(found, { ...process.env, ...ownSources }).forEach((line) => console.log(line));
  const cluster = await startCluster({
    folder: join(data, 'services'),
    brokers: kafka.brokers,
    databaseUrl: postgres.appUrl,
    registers,
    sources: { ...embedded.sourceVariablesOf(found, process.env), ...ownSources },
    egress: [embedded.egressAllow([new URL(source.url).host, new URL(receiver.url).host], process.env)],
    webhook: { url: receiver.url, secret },
    port,
    say: console.log,
  });
  stops.push(() => cluster.stop());
  const database = await openDatabase({ url: postgres.appUrl, schema: 'gateway', applicationName: 'lacuna-cluster', poolMax: 1 });
  const key = await embedded.makeOwnerKey(database);
  await database.close();
  console.log(`public key: ${cluster.publicKeyFile}`);
  console.log(`API key of this run (roles ${embedded.OWNER_ROLES.join(', ')}): ${key}`);
  console.log(`Lacuna answers on ${cluster.url} (docs: ${cluster.url}/docs); logs in ${join(data, 'services')}. Ctrl-C stops it.`);
}
