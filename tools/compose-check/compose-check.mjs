import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const BUILD_WITHIN_MS = 600_000;
const LOAD_WITHIN_MS = 30_000;
const OUTPUT_BYTES_MAX = 16_777_216;
const sources = fileURLToPath(new URL('.', import.meta.url));

/** @typedef {{ ok: true, project: any } | { ok: false, reason: string }} Loaded */

/** Whether this machine can build the loader, or has it. */
export function canLoadCompose() {
  return existsSync(loaderPath()) || spawnSync('go', ['version'], { stdio: 'ignore' }).status === 0;
}

/**
 * The library that docker compose loads its files with, as a program in a folder outside the checkout; built where it is missing.
 * @returns {Promise<(file: string) => Promise<Loaded>>}
 */
export async function composeLoader() {
  const loader = loaderPath();
  if (!existsSync(loader)) await build(loader);
  return async (file) => {
    try {
      const { stdout } = await promisify(execFile)(loader, [file], { timeout: LOAD_WITHIN_MS, maxBuffer: OUTPUT_BYTES_MAX });
      return { ok: true, project: JSON.parse(stdout) };
    } catch (error) {
      const { stderr, message } = /** @type {Error & { stderr?: string }} */ (error);
      return { ok: false, reason: stderr?.trim() || message };
    }
  };
}

/** Another source, another program. */
function loaderPath(env = process.env) {
  const hash = createHash('sha256');
  for (const name of ['go.mod', 'go.sum', 'main.go']) hash.update(readFileSync(join(sources, name)));
  const cache = env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache');
  return join(cache, 'lacuna', `compose-check-${hash.digest('hex').slice(0, 12)}`);
}

/** It appears whole, also when two build it at once.
 * @param {string} loader */
async function build(loader) {
  mkdirSync(dirname(loader), { recursive: true });
  const part = `${loader}.part-${process.pid}`;
  await promisify(execFile)('go', ['build', '-o', part, '.'], { cwd: sources, timeout: BUILD_WITHIN_MS }).catch((error) => {
    throw new Error(`the compose loader could not be built: ${(error.stderr || error.message).trim()}`);
  });
  renameSync(part, loader);
}
