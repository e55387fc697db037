/** `npm start`: the embedded mode as a program. */
import { addRequests } from '@lacuna/sample-source';
import { CommanderError } from 'commander';
import { OWNER_ROLES } from './api-keys.js';
import { claimDataFolder } from './claim-data-folder.js';
import { demonstrate } from './demonstrations/demonstrate.js';
import { GatewayClient } from './demonstrations/gateway-client.js';
import { printDemonstration, printEarlier } from './demonstrations/print.js';
import { assertPortIsFree } from './free-port.js';
import { type Options, optionsOf } from './options.js';
import { type Embedded, startEmbedded } from './start-embedded.js';

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const EARLIER_MAX = 10;

/** What the demonstrations ask. */
const DEMONSTRATION_REGISTERS = ['service-requests', 'service-requests-http', 'service-requests-impatient'];

await run(given());

function given(): Options {
  try {
    return optionsOf(process.argv.slice(2), process.env);
  } catch (error) {
    if (error instanceof CommanderError) process.exit(error.exitCode);
    throw error;
  }
}

async function run(options: Options): Promise<void> {
  let embedded: Embedded | null = null;
  let release = (): void => undefined;
  let ending = false;
  const end = async (code: number) => {
    if (ending) process.exit(130);
    ending = true;
    say('stopping ...');
    await embedded?.stop();
    release();
    say('stopped.');
    process.exit(code);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end(0));
  const onFatal = (error: Error) => {
    process.stderr.write(`lacuna: ${error.message}\n`);
    void end(1);
  };
  try {
    release = claimDataFolder(options.data);
    await assertPortIsFree(options.port);
    embedded = await startEmbedded({
      port: options.port,
      dataFolder: options.data,
      registers: options.registers,
      sampleRows: options.rows,
      logLevel: options.logLevel,
      wantsNewKey: options.newKey,
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
  const lacking = DEMONSTRATION_REGISTERS.filter((name) => !embedded.registers.includes(name));
  if (demo && lacking.length > 0) say(`demonstrations: not shown, the folder of registers has no ${lacking.join(', ')}`);
  else if (demo) await runDemonstrations(embedded, one, two);
  say('');
  if (embedded.newApiKey) say(`API key (shown once, roles ${OWNER_ROLES.join(', ')}): ${embedded.newApiKey}`);
  else say('API key: printed at the first start; --new-key makes another');
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
