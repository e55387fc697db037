import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { root, setUp, SetUpError } from './setup.mjs';

const HELP = `npm run walks -- PATH... [options]

Runs walk files: one search each, by the real connector against a real HTTP server on this machine, over the answers that the file writes,
and one decision. Prints verdict, reasons and requests, and whether they are what the file expects. See docs/how-to/write-a-walk.md.

  PATH      a walk file, or a folder of them (walks)
  --show    each request that was made
  --quiet   only failures and the summary
  --json    one JSON object on standard output
  --help    this text

Exit code: 0 all as expected, 1 some not, 2 a file that is no walk (the others are run all the same).
`;

const FILES_MAX = 10_000;
const AT_ONCE = 8;

/** @param {string} line */
const say = (line) => void process.stderr.write(`${line}\n`);

/** @returns {{ paths: string[], show: boolean, quiet: boolean, json: boolean, help: boolean }} */
function usage() {
  const flag = /** @type {const} */ ({ type: 'boolean', default: false });
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { show: flag, quiet: flag, json: flag, help: { ...flag, short: 'h' } },
    });
    return { paths: positionals.length > 0 ? positionals : [join(root, 'walks')], ...values };
  } catch (error) {
    say(`walks: ${/** @type {Error} */ (error).message}`);
    process.exit(2);
  }
}

/** Walk files below a path, in order. @param {string} path @returns {string[]} */
function filesIn(path) {
  if (!existsSync(path)) throw new Error(`${path} is not there`);
  if (!statSync(path).isDirectory()) return [path];
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => /\.ya?ml$/.test(name));
  return names.sort().map((name) => join(path, name));
}

/**
 * @template T, R
 * @param {readonly T[]} items @param {(item: T) => Promise<R>} work @returns {Promise<R[]>}
 */
async function sideBySide(items, work) {
  const results = /** @type {R[]} */ (Array(items.length));
  let next = 0;
  const lane = async () => {
    while (next < items.length) {
      const at = next++;
      results[at] = await work(/** @type {T} */ (items[at]));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return results;
}

/** @typedef {import('@lacuna/connectors/walks').WalkResult} WalkResult */
/** @typedef {{ file: string, result: WalkResult } | { file: string, problems: readonly { line: number, column: number, path: string, reason: string }[] }} Ran */

/** @param {readonly WalkResult[]} results */
function summaryOf(results) {
  const verdicts = /** @type {const} */ (['match-review', 'scoped-no-match', 'evidence-hold']);
  return [false, true].flatMap((twin) =>
    verdicts.map((verdict) => {
      const of = results.filter((each) => each.twin === twin && each.expected === verdict);
      return { verdict, twin, passed: of.filter(({ passed }) => passed).length, total: of.length };
    }),
  );
}

/** @param {Ran} ran @param {{ show: boolean, quiet: boolean }} options */
function linesOf(ran, { show, quiet }) {
  if ('problems' in ran) return ran.problems.map(({ line, column, path, reason }) => `${ran.file}:${line}:${column} ${path} ${reason}`);
  const { passed, verdict, reasons, requests, differences, name } = ran.result;
  if (passed && quiet) return [];
  const head = `${passed ? 'pass' : 'FAIL'}  ${verdict ?? 'refused'}  ${reasons.join(', ')}  ${requests.length} requests  ${ran.file}  ${name}`;
  const asked = requests.map(
    ({ source, method, url, body }) => `        ${source}: ${method} ${url}${body === null ? '' : ` ${JSON.stringify(body)}`}`,
  );
  return [head, ...differences.map((each) => `      ${each}`), ...(show || !passed ? asked : [])];
}

const options = usage();
if (options.help) {
  process.stdout.write(HELP);
} else {
  try {
    await setUp({ build: true, say });
    process.exitCode = await main();
  } catch (error) {
    if (!(error instanceof SetUpError) && !(error instanceof Error)) throw error;
    say(`walks: ${error.message}`);
    process.exitCode = 2;
  }
}

/** @returns {Promise<number>} */
async function main() {
  const { parseWalkFile, runWalk } = await import('@lacuna/connectors/walks');
  const files = options.paths.flatMap(filesIn);
  if (files.length === 0) throw new Error('no walk file is there');
  if (files.length > FILES_MAX) throw new Error(`more than ${FILES_MAX} files`);
  const print = (/** @type {Ran} */ ran) => options.json || linesOf(ran, options).forEach((line) => console.log(line));
  const all = await sideBySide(files, async (path) => {
    const file = relative(process.cwd(), path);
    const parsed = parseWalkFile(readFileSync(path, 'utf8'), file);
    /** @type {Ran} */
    const ran = parsed.ok ? { file, result: await runWalk(parsed.walk) } : { file, problems: parsed.problems };
    print(ran);
    return ran;
  });
  const results = all.flatMap((ran) => ('result' in ran ? [ran.result] : []));
  const bad = all.filter((ran) => 'problems' in ran);
  const failed = results.filter(({ passed }) => !passed).length;
  const summary = summaryOf(results);
  if (options.json) {
    const walks = all.map((ran) => ('result' in ran ? { file: ran.file, ...ran.result } : ran));
    console.log(JSON.stringify({ walks, summary, passed: results.length - failed, failed, notRun: bad.length }));
  } else {
    for (const { verdict, twin, passed, total } of summary)
      if (total > 0) console.log(`${`${verdict}${twin ? ' (twins)' : ''}`.padEnd(26)} ${passed} of ${total}`);
    console.log(`${results.length - failed} passed, ${failed} failed${bad.length > 0 ? `, ${bad.length} not run` : ''}`);
  }
  return bad.length > 0 ? 2 : failed > 0 ? 1 : 0;
}
