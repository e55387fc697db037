import { spawn } from 'node:child_process';
import { root } from '../setup.mjs';

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();

/**
 * @typedef {object} ChildResult
 * @property {boolean} ok
 * @property {string} how it ended
 * @property {string} output what it printed, where that was kept
 */

/**
 * Runs a program of node_modules, or any script, with this Node.
 * @param {string[]} args the script and its arguments
 * @param {{ withinSeconds: number, env?: NodeJS.ProcessEnv, showOn?: NodeJS.WriteStream }} options showOn: show its output instead of keeping it
 * @returns {Promise<ChildResult>}
 */
export function runNode(args, { withinSeconds, env, showOn }) {
  /** @type {import('node:child_process').StdioOptions} */
  const stdio = ['ignore', showOn ?? 'pipe', showOn ?? 'pipe'];
  const child = spawn(process.execPath, args, { cwd: root, env: { ...process.env, ...env }, stdio });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (chunk) => (output += chunk));
  let isLate = false;
  const limit = setTimeout(() => {
    isLate = true;
    child.kill('SIGTERM');
    setTimeout(() => child.kill('SIGKILL'), 5000).unref();
  }, withinSeconds * 1000);
  return new Promise((resolve) => {
    const end = (/** @type {boolean} */ ok, /** @type {string} */ how) => {
      clearTimeout(limit);
      running.delete(child);
      resolve({ ok, how: isLate ? `not done within ${withinSeconds} s` : how, output });
    };
    child.once('error', (error) => end(false, error.message));
    child.once('close', (code, signal) => end(code === 0 && !isLate, signal ?? `exit code ${code}`));
  });
}

/** Asks all of them to stop, and makes them after five seconds. */
export async function stopChildren() {
  const all = [...running];
  for (const child of all) child.kill('SIGTERM');
  const force = setTimeout(() => all.forEach((child) => child.kill('SIGKILL')), 5000);
  await Promise.all(all.map((child) => (running.has(child) ? new Promise((resolve) => child.once('close', resolve)) : undefined)));
  clearTimeout(force);
}
