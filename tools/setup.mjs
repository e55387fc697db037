import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout. */
export const root = fileURLToPath(new URL('..', import.meta.url));

const NODE_MIN = '20.19';
const OUTPUT_LINES_MAX = 40;

/** A step of the set-up failed; the message is for people. */
export class SetUpError extends Error {}

/**
 * Brings a checkout to where it can run: Node is checked, dependencies are installed from the lock file, TypeScript is built. Nothing is
 * done twice. It says one line for each thing. It uses nothing but Node, npm and the file system.
 * @param {{ build?: boolean, say?: (line: string) => void }} [options]
 */
export async function setUp({ build = true, say = console.log } = {}) {
  checkNode(process.versions.node);
  say(`Node: ${process.versions.node}`);
  await installDependencies(say);
  if (build) await buildAll(say);
}

/** @param {string} version */
export function checkNode(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [majorMin = 0, minorMin = 0] = NODE_MIN.split('.').map(Number);
  if (major < majorMin || (major === majorMin && minor < minorMin)) {
    throw new SetUpError(`Lacuna needs Node ${NODE_MIN} or newer, and this is Node ${version}: install a newer one (https://nodejs.org).`);
  }
}

/** @param {(line: string) => void} say */
async function installDependencies(say) {
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const stampFile = join(root, 'node_modules', '.lacuna-setup');
  const stamp = `${createHash('sha256').update(lock).digest('hex')} ${process.version}`;
  const stampNow = existsSync(stampFile) ? readFileSync(stampFile, 'utf8') : undefined;
  const sameNode = stampNow === undefined || stampNow.endsWith(` ${process.version}`);
  if (stampNow === stamp) return say('dependencies: up to date');
  if (sameNode && isInstalled(lock)) {
    writeFileSync(stampFile, stamp);
    return say('dependencies: up to date');
  }
  say('dependencies: installing from package-lock.json');
  rmSync(stampFile, { force: true });
  const seconds = await run('npm ci', ...npm(['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']));
  writeFileSync(stampFile, stamp);
  say(`dependencies: installed in ${seconds} s`);
}

/** Whether npm's own record of node_modules, which it writes last, has all that the lock file asks for: so after a plain `npm install`.
 * @param {string} lock */
function isInstalled(lock) {
  const recordFile = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(recordFile)) return false;
  const installed = JSON.parse(readFileSync(recordFile, 'utf8')).packages;
  return Object.entries(JSON.parse(lock).packages).every(([path, wanted]) => {
    if (path === '' || (wanted.optional && !installed[path])) return true;
    return installed[path]?.version === wanted.version && installed[path]?.integrity === wanted.integrity;
  });
}

/** @param {(line: string) => void} [say] */
export async function buildAll(say = console.log) {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const seconds = await run('tsc -b', process.execPath, [tsc, '-b']);
  say(`build: done in ${seconds} s`);
}

/** npm by the path it gives its scripts, else from PATH.
 * @param {string[]} args
 * @returns {[string, string[]]} */
function npm(args) {
  const cli = process.env.npm_execpath;
  return cli && /npm-cli\.js$/.test(cli) && existsSync(cli) ? [process.execPath, [cli, ...args]] : ['npm', args];
}

/**
 * Runs it in the checkout; its output is shown only when it fails.
 * @param {string} name
 * @param {string} command
 * @param {string[]} args
 * @returns {Promise<string>} seconds
 */
async function run(name, command, args) {
  const began = performance.now();
  await new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk) => (text += chunk));
    const endWithUs = () => child.kill();
    process.once('exit', endWithUs);
    child.once('error', (error) => reject(new SetUpError(`${name} could not be run: ${error.message}`)));
    child.once('close', (code, signal) => {
      process.off('exit', endWithUs);
      if (code === 0) return resolve(undefined);
      reject(
        new SetUpError(
          `${name} failed (${signal ?? `exit code ${code}`})\n${text.trimEnd().split('\n').slice(-OUTPUT_LINES_MAX).join('\n')}`,
        ),
      );
    });
  });
  return ((performance.now() - began) / 1000).toFixed(1);
}
