import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, lastLines, ServerStartError, spawnServer } from '@lacuna/embedded/child-server';
import { root } from '../setup.mjs';

const READY_WITHIN_MS = 60_000;

/**
 * One service as a process of its own.
 * @typedef {object} ServiceProcess
 * @property {string} name
 * @property {string} url the same over restarts
 * @property {() => number} pid
 * @property {() => boolean} hasEnded
 * @property {() => Promise<string>} untilEnded
 * @property {() => Promise<void>} stop
 * @property {() => Promise<void>} kill9
 * @property {(environment?: Record<string, string>) => Promise<void>} start waits until it is ready
 * @property {() => string} log its last lines
 */

/**
 * @param {string} name such as verdict
 * @param {{ folder: string, environment: Record<string, string>, port?: number }} options
 * @returns {Promise<ServiceProcess>}
 */
export async function serviceProcess(name, { folder, environment, port }) {
  const httpPort = port ?? (await freePort());
  const url = `http://127.0.0.1:${httpPort}`;
  const logFile = join(folder, `${name}.log`);
  /** @type {import('@lacuna/embedded/child-server').ChildServer | undefined} */
  let child;
  const running = () => {
    if (!child) throw new Error(`${name} was not started`);
    return child;
  };
  return {
    name,
    url,
    pid: () => running().pid,
    hasEnded: () => running().hasEnded(),
    untilEnded: () => running().untilEnded(),
    stop: async () => child?.stop(),
    kill9: async () => child?.kill9(),
    start: async (more = {}) => {
      child = await spawnServer({
        command: process.execPath,
        args: ['--enable-source-maps', join(root, 'apps', name, 'dist', 'main.js')],
        logFile,
        stopSignal: 'SIGTERM',
        stopWithinSeconds: 30,
        env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment, ...more, LACUNA_HTTP_PORT: String(httpPort) },
      });
      await untilReady(name, url, child, logFile);
    },
    log: () => lastLines(logFile, 40),
  };
}

/** @param {string} name @param {string} url @param {import('@lacuna/embedded/child-server').ChildServer} child @param {string} logFile */
async function untilReady(name, url, child, logFile) {
  const until = Date.now() + READY_WITHIN_MS;
  while (Date.now() < until) {
    if (child.hasEnded()) throw new ServerStartError(`${name} ended while it started (${await child.ended})`, logFile);
    const ready = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
      (response) => response.ok,
      () => false,
    );
    if (ready) return;
    await sleep(100);
  }
  throw new ServerStartError(`${name} was not ready within ${READY_WITHIN_MS / 1000} s`, logFile);
}
