import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../setup.mjs';
import { runNode } from './children.mjs';
import { layoutBreaches } from './layout.mjs';

const WITHIN_SECONDS = 600;

/** The rule of the arrows needs the project graph, which only a run through nx gives it: bare ESLint skips it and exits 0. */
const NX_ENV = { NX_DAEMON: 'false', NX_TUI: 'false', NX_NO_CLOUD: 'true', NX_ISOLATE_PLUGINS: 'false', NX_SKIP_NX_CACHE: 'true' };

const bin = (/** @type {string} */ path) => join('node_modules', path);
const run = (/** @type {string[]} */ args, /** @type {NodeJS.ProcessEnv} */ env = {}) =>
  runNode(args, { withinSeconds: WITHIN_SECONDS, env });
const prettier = (/** @type {string[]} */ ...args) => run([bin('prettier/bin/prettier.cjs'), '--check', '--log-level', 'warn', ...args]);
const nx = (/** @type {string} */ target) => run([bin('nx/dist/bin/nx.js'), 'run', target, '--outputStyle=stream'], NX_ENV);
const tsc = (/** @type {string} */ project) => run([bin('typescript/bin/tsc'), '-p', project, '--pretty', 'false']);
const knip = (/** @type {string[]} */ ...args) => run([bin('knip/bin/knip.js'), '--no-progress', ...args]);

/**
 * A check passes when `run` gives undefined; else it says what is wrong. Each tool is also shown a file that it must refuse, for the
 * stated reason: a tool that accepts everything is no check.
 * @type {{ name: string, run: () => Promise<string | undefined> }[]}
 */
export const checks = [
  { name: 'format', run: () => accepts(prettier('.')) },
  {
    name: 'format refuses the broken fixture',
    run: () => refuses(prettier('--ignore-path', 'tools/fixtures/ignores-nothing', 'tools/fixtures/broken-format'), 'unformatted.ts'),
  },
  { name: 'lint', run: () => accepts(nx('lacuna:eslint')) },
  {
    name: 'lint refuses the broken arrow',
    run: () => refuses(nx('broken-arrow:lint'), '@nx/enforce-module-boundaries', 'cannot depend on'),
  },
  { name: 'types', run: () => accepts(tsc('tsconfig.check.json')) },
  { name: 'types refuse the broken fixture', run: () => refuses(tsc('tools/fixtures/broken-types'), 'TS2322') },
  { name: 'dead code', run: () => accepts(knip()) },
  { name: 'dead code is found in the fixture', run: deadCodeIsFound },
  { name: 'folder names and file lengths', run: async () => layoutBreaches(root).join('\n') || undefined },
];

/** @param {Promise<import('./children.mjs').ChildResult>} running */
async function accepts(running) {
  const { ok, how, output } = await running;
  return ok ? undefined : output.trim() || how;
}

/** @param {Promise<import('./children.mjs').ChildResult>} running @param {string[]} reasons */
async function refuses(running, ...reasons) {
  const { ok, output } = await running;
  if (ok) return `it was accepted, so this check proves nothing now\n${output.trim()}`;
  const absent = reasons.filter((reason) => !output.includes(reason));
  return absent.length === 0 ? undefined : `it was refused, but not for ${absent.join(', ')}\n${output.trim()}`;
}

/** knip.json as it is, but with the fixtures in. */
async function deadCodeIsFound() {
  const config = JSON.parse(readFileSync(join(root, 'knip.json'), 'utf8'));
  const folder = mkdtempSync(join(root, 'node_modules', '.cache-knip-'));
  try {
    const file = join(folder, 'knip.json');
    config.workspaces['.'].entry.push('tools/fixtures/dead-code/main.ts');
    writeFileSync(file, JSON.stringify({ ...config, ignore: [] }));
    return await refuses(knip('--config', file, '--workspace', '.'), 'fixtures/dead-code/nobody-imports-this.ts', 'nobodyCallsThis');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
