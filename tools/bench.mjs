import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { benchPages } from './bench/pages.mjs';
import { setUp, SetUpError } from './setup.mjs';

const HELP = `npm run bench -- [options]

job: decisions per second over Apache Kafka and PostgreSQL, beside a bare kafkajs loop that moves the same messages with one commit per batch.
pages: pages per second through a contract, beside a bare loop of undici and JSON.parse against the same server, and the memory and time of
reads from 10^3 to 10^6 records.
All is measured in one run on this machine; only the ratios mean something elsewhere.

  --only <name>          job or pages (both)
  --decisions <number>   questions asked (2,000)
  --rounds <number>      how often each is measured; the best counts (3)
  --json                 one JSON object on standard output
  --help                 this text
`;

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    decisions: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '3' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h' },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit(0);
}

/** @param {string} line */
const say = (line) => void process.stderr.write(`${line}\n`);

if (values.only !== undefined && !['job', 'pages'].includes(values.only)) {
  say('bench: --only is job or pages');
  process.exit(2);
}

try {
  await setUp({ say });
} catch (error) {
  if (!(error instanceof SetUpError)) throw error;
  say(error.message);
  process.exit(1);
}

/** @type {Record<string, unknown>} */
const results = {};
if (values.only !== 'pages') results['job'] = await jobs();
if (values.only !== 'job') results['pages'] = await benchPages(say);
if (values.json) console.log(JSON.stringify(results));
else for (const result of Object.values(results)) console.log(/** @type {{ lines: string[] }} */ (result).lines.join('\n'));

async function jobs() {
  const { startKafka } = await import('./kafka.mjs');
  const { startPostgres } = await import('./postgres.mjs');
  const { benchBareLoop } = await import('./bench/bare-loop.mjs');
  const { benchDelivery } = await import('./bench/delivery.mjs');
  const { benchMainJob } = await import('./bench/main-job.mjs');
  const folder = mkdtempSync(join(tmpdir(), 'lacuna-bench-'));
  /** @type {(() => Promise<unknown>)[]} */
  const stops = [];
  try {
    const kafka = await startKafka({ own: true, say });
    stops.push(() => kafka.stop());
    const postgres = await startPostgres({ own: true });
    stops.push(() => postgres.stop());
    const machine = { brokers: kafka.brokers, databaseUrl: postgres.appUrl, folder, say };
    const decisions = Number(values.decisions);
    say(`the main job: ${decisions} questions, exact lookup, five processes`);
    const main = await benchMainJob(machine, decisions);
    const rounds = Array.from({ length: Number(values.rounds) }, (_, round) => round);
    const bare = [];
    const delivery = [];
    for (const round of rounds) {
      say(`round ${round + 1}: bare loop, then batch loop with position row and outbox`);
      bare.push(await benchBareLoop(machine, main.messages, round));
      delivery.push(await benchDelivery(machine, main.messages, round));
    }
    return report(main, Math.max(...bare), Math.max(...delivery));
  } finally {
    for (const stop of stops.reverse()) await stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {import('./bench/main-job.mjs').MainJob} main @param {number} bare @param {number} delivery */
function report(main, bare, delivery) {
  const result = {
    decisions: main.decisions,
    messagesPerDecision: main.messagesPerDecision,
    bareLoopDecisionsPerSecond: Math.round(bare),
    deliveryDecisionsPerSecond: Math.round(delivery),
    mainJobDecisionsPerSecond: Math.round(main.perSecond),
    deliveryToBare: round2(delivery / bare),
    mainJobToBare: round2(main.perSecond / bare),
    processorMsPerDecision: main.processorMsPerDecision,
  };
  const lines = [
    `messages per decision                          ${result.messagesPerDecision}`,
    `bare kafkajs loop, one commit per batch        ${result.bareLoopDecisionsPerSecond} decisions/s   1.00`,
    `batch loop, position row and outbox            ${result.deliveryDecisionsPerSecond} decisions/s   ${result.deliveryToBare}`,
    `the main job, five processes                   ${result.mainJobDecisionsPerSecond} decisions/s   ${result.mainJobToBare}`,
    'where the main job spends processor time, ms per decision:',
    ...Object.entries(result.processorMsPerDecision).map(([name, ms]) => `  ${name.padEnd(20)} ${ms}`),
  ];
  return { ...result, lines };
}

/** @param {number} value */
function round2(value) {
  return Math.round(value * 100) / 100;
}
