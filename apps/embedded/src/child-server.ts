import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename } from 'node:path';

/**
 * A server run as a child process.
 *
 * 1. It has a session of its own: a Ctrl-C at the terminal reaches only its owner, which stops it in its own order.
 * 2. It never outlives its owner, however the owner ends. A small `sh` waits on a pipe that the owner holds: at its end of file,
 *    which comes after kill -9 too, it stops the server and then removes `removeAfter`.
 * 3. It does not keep its owner's event loop alive.
 */
export interface ChildServer {
  readonly pid: number;
  /** Settles when the server has ended, with the words for it: `exit code 1`, `signal SIGKILL`. */
  readonly ended: Promise<string>;
  /** The same, and keeps this process going until then. */
  readonly untilEnded: () => Promise<string>;
  readonly hasEnded: () => boolean;
  stop(): Promise<void>;
  kill9(): Promise<void>;
}

export interface ChildServerOptions {
  command: string;
  args: string[];
  logFile: string;
  stopSignal: 'SIGINT' | 'SIGTERM';
  /** SIGKILL follows the stop signal after this time. */
  stopWithinSeconds?: number;
  account?: { uid: number; gid: number };
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  stdinFile?: string;
  /** A temporary folder that nobody needs once the server and its owner have ended. */
  removeAfter?: string;
}

/** The server could not be started: what failed, and the end of its log. */
export class ServerStartError extends Error {
  constructor(what: string, logFile?: string) {
    super(logFile ? `${what}\nThe end of ${logFile}:\n${lastLines(logFile, 20)}` : what);
    this.name = 'ServerStartError';
  }
}

/** Runs a program that ends by itself, with the same care. */
export async function runToEnd(options: ChildServerOptions): Promise<void> {
  const how = await (await spawnServer(options)).untilEnded();
  if (how !== 'exit code 0') throw new ServerStartError(`${basename(options.command)} failed (${how})`, options.logFile);
}

/** A log that is larger at a start is put aside as `.1`. */
const LOG_BYTES_MAX = 10_000_000;

const WATCH = `
read -r _
kill -s "$2" "$1" 2>/dev/null
seconds=0
while kill -0 "$1" 2>/dev/null && [ "$seconds" -lt "$3" ]; do sleep 1; seconds=$((seconds + 1)); done
kill -s KILL "$1" 2>/dev/null
if [ -n "$4" ]; then rm -rf -- "$4"; fi`;

export async function spawnServer(options: ChildServerOptions): Promise<ChildServer> {
  const { command, args, account, env, cwd, stopSignal, stopWithinSeconds = 10 } = options;
  if ((statSync(options.logFile, { throwIfNoEntry: false })?.size ?? 0) > LOG_BYTES_MAX)
    renameSync(options.logFile, `${options.logFile}.1`);
  const log = openSync(options.logFile, 'a');
  const input = options.stdinFile === undefined ? undefined : openSync(options.stdinFile, 'r');
  const child = spawn(command, args, { detached: true, stdio: [input ?? 'ignore', log, log], env, cwd, ...account });
  closeSync(log);
  if (input !== undefined) closeSync(input);
  // No tick may pass before it is watched: this process may end in the next one.
  const watcher = child.pid === undefined ? undefined : watch(child.pid, stopSignal, stopWithinSeconds, options.removeAfter);
  const ended = new Promise<string>((resolve) =>
    child.once('exit', (code, signal) => resolve(signal ? `signal ${signal}` : `exit code ${code}`)),
  );
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) => reject(new ServerStartError(`${command} could not be run: ${error.message}`)));
  });
  const pid = child.pid as number;
  void ended.then(() => watcher?.kill('SIGKILL'));
  child.unref();

  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const end = async (signal: NodeJS.Signals) => {
    if (hasEnded()) return;
    child.ref();
    child.kill(signal);
    const force = setTimeout(() => child.kill('SIGKILL'), stopWithinSeconds * 1000);
    await ended;
    clearTimeout(force);
  };
  const untilEnded = () => {
    if (!hasEnded()) child.ref();
    return ended;
  };
  return { pid, ended, untilEnded, hasEnded, stop: () => end(stopSignal), kill9: () => end('SIGKILL') };
}

function watch(pid: number, stopSignal: string, stopWithinSeconds: number, removeAfter = ''): ChildProcess {
  const watcher = spawn('/bin/sh', ['-c', WATCH, 'server-watch', `${pid}`, stopSignal.slice(3), `${stopWithinSeconds}`, removeAfter], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: '/usr/bin:/bin' },
  });
  watcher.once('error', () => undefined);
  watcher.unref();
  (watcher.stdin as unknown as { unref?: () => void } | null)?.unref?.();
  return watcher;
}

export const NO_LOG = '(no log)';

export function lastLines(file: string, count: number): string {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-count).join('\n');
  } catch {
    return NO_LOG;
  }
}

/** A port of 127.0.0.1 that nobody holds now. Another program may take it before its use: be ready to ask again. */
export async function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
