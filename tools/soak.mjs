import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root, setUp, SetUpError } from './setup.mjs';

const HELP = `npm run soak -- [options]

Asks questions of five services as processes over Apache Kafka and PostgreSQL while services are killed and stopped, broker and database go away
and connections break, and checks after each round that nothing was lost and nothing done twice. Exit code 1 when a check failed.

  --events <number>     ends once the log has so many messages (100,000); a question makes about ten
  --questions <number>  in one round (2,000)
  --seed <number>       of questions and faults (1)
  --minutes <number>    begins no further round after this (600)
  --without-faults      asks only
  --resume              goes on where a run in the same folder ended or was stopped
  --data <folder>       data, logs and progress (.lacuna/soak)
  --json                one JSON object on standard output
  --help                this text

Ctrl-C stops after what is under way, and --resume goes on from the last whole round.
`;

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '100000' },
    questions: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '600' },
    'without-faults': { type: 'boolean', default: false },
    resume: { type: 'boolean', default: false },
    data: { type: 'string', default: join(root, '.lacuna', 'soak') },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h' },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit(0);
}

/** @param {string} line */
const say = (line) => void process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);

/** @param {'events' | 'questions' | 'seed' | 'minutes'} name */
const number = (name) => {
  const value = Number(values[name]);
  if (/^\d{1,9}$/.test(values[name] ?? '') && value > 0) return value;
  process.stderr.write(`soak: --${name} must be a whole number from 1\n`);
  return process.exit(2);
};
const wanted = { events: number('events'), questions: number('questions'), seed: number('seed'), minutes: number('minutes') };

try {
  await setUp({ say });
} catch (error) {
  if (!(error instanceof SetUpError)) throw error;
  say(error.message);
  process.exit(1);
}

const { startSoakCluster } = await import('./soak/soak-cluster.mjs');
const { soakRound } = await import('./soak/soak-round.mjs');

/** @typedef {import('./soak/soak-round.mjs').RoundOutcome} RoundOutcome */
const folder = resolve(values.data);
const progressFile = join(folder, 'progress.json');
/** @type {RoundOutcome[]} */
const rounds = values.resume ? JSON.parse(readFileSync(progressFile, 'utf8')) : [];
if (!values.resume) rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

let isStopping = false;
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.on(signal, () => void (isStopping = true));
const until = performance.now() + wanted.minutes * 60_000;
const running = await startSoakCluster({ folder, sampleRows: 20_000, keep: true });
try {
  while (!isStopping && messages() < wanted.events && performance.now() < until && !hasProblem()) {
    const round = rounds.length + 1;
    const from = rounds.at(-1)?.ends ?? {};
    const options = { round, seed: wanted.seed, questions: wanted.questions, sideBySide: 32, withFaults: !values['without-faults'] };
    rounds.push(await soakRound(running, { ...options, from, say }));
    writeFileSync(progressFile, JSON.stringify(rounds));
    say(line(/** @type {RoundOutcome} */ (rounds.at(-1))));
  }
} finally {
  await running.stop();
}
report();
process.exitCode = hasProblem() ? 1 : 0;

function messages() {
  return rounds.reduce((sum, round) => sum + round.messages, 0);
}

function hasProblem() {
  return rounds.some(({ problems }) => Object.keys(problems).length > 0);
}

/** @param {RoundOutcome} round */
function line({ round, seconds, counts, problems }) {
  const wrong = Object.entries(problems).map(([check, what]) => `${check}: ${what}`);
  const facts = Object.entries(counts).map(([name, count]) => `${name} ${count}`);
  return `round ${round} (${seconds} s): ${facts.join(', ')}; ${wrong.length > 0 ? `WRONG: ${wrong.join('; ')}` : 'nothing lost, nothing twice'}`;
}

function report() {
  /** @type {Record<string, number>} */
  const counts = {};
  for (const round of rounds) for (const [name, count] of Object.entries(round.counts)) counts[name] = (counts[name] ?? 0) + count;
  const faults = rounds.flatMap((round) => round.faults.map(({ name }) => name));
  const byFault = Object.fromEntries([...new Set(faults)].sort().map((name) => [name, faults.filter((one) => one === name).length]));
  const problems = rounds.flatMap((round) => Object.entries(round.problems).map(([check, what]) => ({ round: round.round, check, what })));
  const seconds = rounds.reduce((sum, round) => sum + round.seconds, 0);
  const result = { seed: wanted.seed, rounds: rounds.length, seconds, messages: messages(), counts, faults: byFault, problems };
  if (values.json) return console.log(JSON.stringify(result));
  console.log(`seed ${result.seed}, ${result.rounds} rounds, ${seconds} s, ${result.messages} messages of the log`);
  for (const [name, count] of Object.entries(counts)) console.log(`${name.padEnd(60)} ${String(count).padStart(9)}`);
  for (const [name, count] of Object.entries(byFault)) console.log(`${name.padEnd(60)} ${String(count).padStart(9)}`);
  for (const { round, check, what } of problems) console.log(`WRONG in round ${round}: ${check}: ${what}`);
  if (problems.length === 0) console.log('0 lost, 0 double effects, 0 inversions; repetitions have the same bytes');
}
