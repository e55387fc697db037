import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root, setUp } from './setup.mjs';

/** `npm run sample -- --json`: identifiers to try, with the right answers. Nothing but them is written to standard output. */
const HELP = `npm run sample -- [options]

Prints identifiers to try on the register service-requests: some that are there, with their record, and some that are not.
It asks the database of LACUNA_SOURCE_SAMPLE_DATABASE_URL; else the one that a running \`npm start\` has in .lacuna, which holds the same
rows; else a temporary one. A table that is missing is generated first.

  --json            one JSON object: {"present": [...], "absent": [...]}
  --count <number>  of each (500)
  --seed <number>   of the choice among the rows (1)
  --rows <number>   service requests in the table (what is there, else 100,000)
  --help            this text
`;

const say = (/** @type {string} */ line) => void process.stderr.write(`${line}\n`);
const options = process.argv.slice(2);
assertUsage();

/** Where `npm start` may keep its PostgreSQL. */
const CLUSTERS = ['postgres/cluster', 'cluster'].map((folder) => join(root, '.lacuna', folder));

/** The sample of a running \`npm start\`, or undefined. */
async function runningSample() {
  const { findLoadedSample } = await import('@lacuna/sample-source');
  for (const cluster of CLUSTERS) {
    const passwords = join(cluster, 'passwords.json');
    const lock = join(cluster, 'data', 'postmaster.pid');
    if (!existsSync(passwords) || !existsSync(lock)) continue;
    const port = readFileSync(lock, 'utf8').split('\n')[3];
    const { appPassword } = JSON.parse(readFileSync(passwords, 'utf8'));
    const url = `postgres://lacuna:${appPassword}@127.0.0.1:${port}/lacuna`;
    if (await findLoadedSample(url).catch(() => undefined)) return url;
  }
  return undefined;
}

/** Before anything is set up or started; the program that is run then knows them too. */
function assertUsage() {
  const number = { type: /** @type {const} */ ('string') };
  const flag = { type: /** @type {const} */ ('boolean') };
  try {
    const { values } = parseArgs({
      args: options,
      options: { json: flag, count: number, seed: number, rows: number, help: { ...flag, short: 'h' } },
    });
    for (const name of /** @type {const} */ (['count', 'seed', 'rows']))
      if (!/^\d{1,9}$/.test(values[name] ?? '0')) throw new Error(`--${name} must be a whole number`);
  } catch (error) {
    say(`sample: ${/** @type {Error} */ (error).message}`);
    process.exit(2);
  }
}

/** @returns {Promise<{ url: string, stop: () => Promise<void> }>} */
async function openDatabase() {
  const nothingToStop = async () => undefined;
  const named = process.env.LACUNA_SOURCE_SAMPLE_DATABASE_URL;
  if (named) return { url: named, stop: nothingToStop };
  // Another number of rows would replace the running one's table: that is for a temporary one.
  const running = options.some((option) => option.startsWith('--rows')) ? undefined : await runningSample();
  if (running) return { url: running, stop: nothingToStop };
  say('sample: a temporary PostgreSQL is starting');
  const { startPostgresServer } = await import('@lacuna/embedded/postgres-server');
  const server = await startPostgresServer();
  return { url: server.appUrl, stop: () => server.stop() };
}

/** @param {string} url @returns {Promise<number>} */
function printQuestions(url) {
  const cli = join(root, 'apps', 'sample-source', 'dist', 'sample-cli.js');
  const env = { ...process.env, LACUNA_SOURCE_SAMPLE_DATABASE_URL: url };
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [cli, 'questions', ...options], { env, stdio: ['ignore', 'inherit', 'inherit'] });
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}

if (options.includes('--help') || options.includes('-h')) {
  process.stdout.write(HELP);
} else {
  try {
    await setUp({ build: true, say });
    const database = await openDatabase();
    process.exitCode = await printQuestions(database.url).finally(database.stop);
  } catch (error) {
    say(`sample: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  }
}
