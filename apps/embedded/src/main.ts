/** `npm start`: the embedded mode as a program. */
import { resolve } from 'node:path';
import { addRequests } from '@lacuna/sample-source';
import { Command, InvalidArgumentError } from 'commander';
import { demonstrate } from './demonstrations/demonstrate.js';
import { GatewayClient } from './demonstrations/gateway-client.js';
import { printDemonstration, printEarlier } from './demonstrations/print.js';
import { assertPortIsFree } from './free-port.js';
import { type Embedded, startEmbedded } from './start-embedded.js';

interface Options {
  readonly port: number;
  readonly data: string;
  readonly demo: boolean;
  readonly rows: number;
  readonly logLevel: string;
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const EARLIER_MAX = 10;

const wholeNumber = (max: number) => (text: string) => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > max) throw new InvalidArgumentError(`must be a whole number from 0 to ${max}.`);
  return value;
};

const program = new Command('npm start --')
  .description('Runs all of Lacuna in one process, with a PostgreSQL of its own, example registers and a sample source.')
  .option('--port <number>', 'port of the API on 127.0.0.1 (0: any free one)', wholeNumber(65_535), 8080)
  .option('--data <folder>', 'where everything is kept between starts', '.lacuna')
  .option('--no-demo', 'do not run the demonstrations')
  .option('--rows <number>', 'rows of the sample table', wholeNumber(2_000_000), 100_000)
  .option('--log-level <level>', 'least level that the services log: warn, info, debug', 'warn');

await run(program.parse().opts<Options>());

async function run(options: Options): Promise<void> {
  let embedded: Embedded | null = null;
  let ending = false;
  const end = async (code: number) => {
    if (ending) process.exit(130);
    ending = true;
    say('stopping ...');
    await embedded?.stop();
    say('stopped.');
    process.exit(code);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end(0));
  const onFatal = (error: Error) => {
    process.stderr.write(`lacuna: ${error.message}\n`);
    void end(1);
  };
  try {
    await assertPortIsFree(options.port);
    embedded = await startEmbedded({
      port: options.port,
      dataFolder: resolve(options.data),
      sampleRows: options.rows,
      logLevel: options.logLevel,
      say,
      onFatal,
    });
    if (!ending) await present(embedded, options.demo);
  } catch (error) {
    if (ending) return;
    process.stderr.write(`lacuna: ${error instanceof Error ? error.message : String(error)}\n`);
    await end(1);
  }
}

async function present(embedded: Embedded, demo: boolean): Promise<void> {
  const [one, two] = embedded.demonstrationKeys.map((key) => new GatewayClient(embedded.url, key)) as [GatewayClient, GatewayClient];
  printEarlier(await one.questions(EARLIER_MAX), say);
  if (demo) await runDemonstrations(embedded, one, two);
  say('');
  if (embedded.newApiKey) say(`API key (shown once, roles asker, reviewer, approver, admin): ${embedded.newApiKey}`);
  say(`Lacuna answers on ${embedded.url} (docs: ${embedded.url}/docs). Ctrl-C stops it.`);
}

async function runDemonstrations(embedded: Embedded, one: GatewayClient, two: GatewayClient): Promise<void> {
  const runId = String(Date.now()).slice(-9);
  say(`demonstrations (run ${runId}):`);
  const shown = demonstrate({
    askers: [one, two],
    runId,
    addRequests: (rows) => addRequests(embedded.sampleDatabaseUrl, rows),
    addFaults: (faults) => embedded.source.faults.add(faults),
    webhookFor: embedded.webhooks.webhookFor,
  });
  let missed = 0;
  for await (const demonstration of shown) {
    printDemonstration(demonstration, say);
    missed += demonstration.missed.length;
  }
  say('');
  say(missed === 0 ? 'all five demonstrations show what they should.' : `${missed} things were not seen: see above.`);
}
