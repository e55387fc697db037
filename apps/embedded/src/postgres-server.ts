import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChildServer } from './child-server.js';
import { freePort, lastLines, ServerStartError, spawnServer } from './child-server.js';
import { makeWritable, postgresAccount } from './postgres-account.js';
import { openCluster, postgresBinaries, serverEnv } from './postgres-cluster.js';

export interface PostgresServerOptions {
  /** Kept between starts. Without it the data is temporary: not synced to disk, and gone after stop(). */
  dataFolder?: string;
  /** A free one, when absent. */
  port?: number;
}

export interface PostgresServer {
  /** The superuser, on the database `postgres`. Row-level security does not bind it. */
  readonly adminUrl: string;
  /** The role `lacuna`, owner of the database `lacuna`: it may make databases and may not pass row-level security. */
  readonly appUrl: string;
  readonly port: number;
  /** Where the data really is: as root, `dataFolder` may be a link. */
  readonly realFolder: string;
  readonly pid: number;
  stop(): Promise<void>;
  kill9(): Promise<void>;
  /** Starts it again on the same port and data, after stopping it when it still runs. */
  restart(): Promise<void>;
}

const READY_WITHIN_MS = 60_000;
const ATTEMPTS_MAX = 40;

/** Starts a PostgreSQL server of our own on 127.0.0.1, as a child that ends with this process. */
export async function startPostgresServer(options: PostgresServerOptions = {}): Promise<PostgresServer> {
  const temporary = options.dataFolder === undefined;
  const folder = options.dataFolder === undefined ? mkdtempSync(join(tmpdir(), 'lacuna-postgres-')) : resolve(options.dataFolder);
  try {
    const account = postgresAccount();
    makeWritable(account, folder);
    const room = realpathSync(folder);
    const binaries = postgresBinaries(account);
    const cluster = await openCluster(room, account, binaries, temporary);
    const logFile = join(room, 'server.log');
    let port = options.port ?? 0;
    const spawnOnce = async (ownPort: boolean) => {
      if (ownPort) port = await freePort();
      return spawnServer({
        command: join(binaries, 'bin', 'postgres'),
        args: ['-D', cluster.data, ...settings(port, temporary).flatMap((setting) => ['-c', setting])],
        logFile,
        stopSignal: 'SIGINT',
        account,
        env: serverEnv(),
        cwd: cluster.data,
        removeAfter: temporary ? room : undefined,
      });
    };
    const start = (ownPort: boolean) => startWhenFree({ data: cluster.data, folder, logFile, ownPort, spawnOnce });
    let server = await start(options.port === undefined);
    return {
      adminUrl: `postgres://postgres:${cluster.adminPassword}@127.0.0.1:${port}/postgres`,
      appUrl: `postgres://lacuna:${cluster.appPassword}@127.0.0.1:${port}/lacuna`,
      port,
      realFolder: room,
      get pid() {
        return server.pid;
      },
      stop: async () => {
        await server.stop();
        if (temporary) rmSync(folder, { recursive: true, force: true });
      },
      kill9: () => server.kill9(),
      restart: async () => {
        await server.stop();
        server = await start(false);
      },
    };
  } catch (error) {
    if (temporary) rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

function settings(port: number, temporary: boolean): string[] {
  const always = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories=', 'max_connections=200'];
  return temporary ? [...always, 'fsync=off'] : always;
}

interface Start {
  data: string;
  /** As the caller named it. */
  folder: string;
  logFile: string;
  ownPort: boolean;
  spawnOnce: (ownPort: boolean) => Promise<ChildServer>;
}

/** A server that was killed leaves postmaster.pid, and for a moment its children: both are waited for or cleared, within a bound. */
async function startWhenFree({ data, folder, logFile, ownPort, spawnOnce }: Start): Promise<ChildServer> {
  const passing = ownPort
    ? /pre-existing shared memory block|lock file|Address already in use/
    : /pre-existing shared memory block|lock file/;
  for (let attempt = 1; ; attempt++) {
    const holder = livePostmaster(data);
    if (holder === undefined) {
      rmSync(join(data, 'postmaster.pid'), { force: true });
      const server = await spawnOnce(ownPort);
      if (await becomesReady(server, data)) return server;
      await server.stop();
      if (attempt === ATTEMPTS_MAX || !passing.test(lastLines(logFile, 5))) {
        throw new ServerStartError(`PostgreSQL did not start (${await server.ended})`, logFile);
      }
    } else if (attempt === ATTEMPTS_MAX) {
      throw new ServerStartError(`PostgreSQL with process id ${holder} is using ${folder}: stop it first`);
    }
    await sleep(300);
  }
}

/** The status line of postmaster.pid, which pg_ctl waits for too. */
async function becomesReady(server: ChildServer, data: string): Promise<boolean> {
  const until = Date.now() + READY_WITHIN_MS;
  while (Date.now() < until && !server.hasEnded()) {
    const lines = postmasterFile(data);
    if (lines[0] === `${server.pid}` && lines[7]?.trim() === 'ready') return true;
    await sleep(30);
  }
  return false;
}

function postmasterFile(data: string): string[] {
  const file = join(data, 'postmaster.pid');
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
}

/** The process named in postmaster.pid, if it is PostgreSQL: after a crash its number may belong to any program. */
export function livePostmaster(data: string): number | undefined {
  const pid = Number(postmasterFile(data)[0]);
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined;
  try {
    const command = existsSync('/proc/self/cmdline')
      ? readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      : execFileSync('ps', ['-o', 'command=', '-p', `${pid}`], { encoding: 'utf8' });
    return command.includes('postgres') ? pid : undefined;
  } catch {
    return undefined;
  }
}
