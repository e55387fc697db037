import { parseArgs } from 'node:util';
import { buildAll, setUp, SetUpError } from './setup.mjs';
import { checks } from './testing/checks.mjs';
import { stopChildren } from './testing/children.mjs';
import { findParts } from './testing/parts.mjs';
import { filesThatNeedKafka, runSuite, suites } from './testing/suites.mjs';
import { lastLine, table, totals } from './testing/summary.mjs';

const HELP = `npm test [-- options]

Set-up, the checks, then the tests: unit, int (one part against real PostgreSQL or Kafka), e2e (several processes).

  --only unit|int|e2e|checks   that part alone
  --json                       the summary as JSON on standard output, all else on standard error
  --help`;

const { only, json, help } = readArguments();
const output = json ? process.stderr : process.stdout;
const say = (/** @type {string} */ line) => void output.write(`${line}\n`);
/** @type {import('./testing/summary.mjs').Row[]} */
const rows = [];
/** @type {import('./testing/parts.mjs').Parts | undefined} */
let parts;

if (help) {
  console.log(HELP);
} else {
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, interrupt);
  if (await step('set-up', () => setUp({ build: false, say }))) {
    await step('build', () => buildAll(say));
    if (!only || only === 'checks') await runChecks();
    if (only !== 'checks') await runSuites(suites.filter((suite) => !only || suite === only));
  }
  report();
}

function readArguments() {
  try {
    const options = /** @type {const} */ ({ only: { type: 'string' }, json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } });
    const { values } = parseArgs({ options });
    if (values.only && !['checks', ...suites].includes(values.only))
      throw new Error(`--only ${values.only}: one of unit, int, e2e, checks`);
    return values;
  } catch (error) {
    console.error(`${/** @type {Error} */ (error).message}\n\n${HELP}`);
    process.exit(2);
  }
}

/**
 * A step that has no tests of its own: it is in the summary's numbers only when it fails.
 * @param {string} name
 * @param {() => Promise<void>} run
 */
async function step(name, run) {
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1000;
  try {
    await run();
    rows.push({ name, seconds: seconds() });
    return true;
  } catch (error) {
    if (!(error instanceof SetUpError)) throw error;
    say(error.message);
    rows.push({ name, seconds: seconds(), failed: 1 });
    return false;
  }
}

async function runChecks() {
  for (const { name, run } of checks) {
    const began = performance.now();
    const problem = await run();
    const seconds = (performance.now() - began) / 1000;
    say(`${problem === undefined ? 'passed' : 'FAILED'}: ${name} (${seconds.toFixed(1)} s)${problem === undefined ? '' : `\n${problem}`}`);
    rows.push({ name, seconds, ...(problem === undefined ? { passed: 1 } : { failed: 1 }) });
  }
}

/** @param {readonly string[]} names */
async function runSuites(names) {
  const needServers = names.some((name) => name !== 'unit');
  parts = needServers ? await findParts(say) : undefined;
  rows.push(...(parts?.rows ?? []));
  try {
    for (const name of names) {
      if (name !== 'unit' && !parts?.hasServers) {
        rows.push({ name, seconds: 0, failed: 1, note: 'no servers to test against' });
        continue;
      }
      const leaveOut = name === 'unit' || parts?.hasKafka ? [] : filesThatNeedKafka(name);
      for (const file of leaveOut) rows.push({ name: file, seconds: 0, skipped: 1, note: 'no Kafka' });
      rows.push(await runSuite(name, { env: parts?.env ?? {}, leaveOut, showOn: output }));
    }
  } finally {
    await parts?.stop();
  }
}

function report() {
  const total = totals(rows);
  say(`\n${table(rows)}`);
  if (json) console.log(JSON.stringify({ ...total, steps: rows }, null, 2));
  else say(lastLine(total));
  process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
}

async function interrupt() {
  say('interrupted');
  await Promise.all([stopChildren(), parts?.stop()]);
  process.exit(130);
}
