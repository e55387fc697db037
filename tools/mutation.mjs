import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mutationParts } from './mutation-parts.mjs';
import { root } from './setup.mjs';

const STRYKER = join(root, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');
const NOTICED = ['Killed', 'Timeout'];
const MISSED = ['Survived', 'NoCoverage'];

/** @typedef {{ files: Record<string, { mutants: { status: string }[] }> }} Report */

/** @param {string} file @returns {Report} */
const read = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** What was noticed stays noticed until its file changes; what survived is tried again. Stryker does not see by itself that a spec was added. */
function forgetSurvivors(/** @type {string} */ part) {
  const kept = join(root, '.lacuna', `stryker-${part}.json`);
  if (!existsSync(kept)) return;
  const report = read(kept);
  for (const file of Object.values(report.files)) file.mutants = file.mutants.filter(({ status }) => !MISSED.includes(status));
  writeFileSync(kept, JSON.stringify(report));
}

function run(/** @type {string} */ part) {
  forgetSurvivors(part);
  const env = { ...process.env, LACUNA_MUTATION_PART: part };
  return spawnSync(process.execPath, [STRYKER, 'run', ...process.argv.slice(2)], { cwd: root, stdio: 'inherit', env }).status ?? 1;
}

/** @param {readonly string[]} parts */
function together(parts) {
  const files = parts.map((part) => join(root, '.lacuna', `mutation-${part}.json`)).filter((file) => existsSync(file));
  const mutants = files.flatMap((file) => Object.values(read(file).files)).flatMap((file) => file.mutants);
  const noticed = mutants.filter(({ status }) => NOTICED.includes(status)).length;
  const missed = mutants.filter(({ status }) => MISSED.includes(status)).length;
  const score = ((100 * noticed) / Math.max(1, noticed + missed)).toFixed(2);
  console.log(`mutation score of libs/evidence: ${score} % (${noticed} of ${noticed + missed} changed programs were noticed)`);
}

const all = Object.keys(mutationParts);
const only = process.env.LACUNA_MUTATION_PART;
const parts = only === undefined ? all : [only];
const statuses = parts.map(run);
if (only === undefined) together(all);
process.exitCode = Math.max(...statuses);
