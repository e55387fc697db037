import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chownSync, cpSync, existsSync, lstatSync, mkdirSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ServerStartError } from './child-server.js';

/** PostgreSQL refuses to run as root: it then runs as `postgres`. Undefined: it runs as whoever we are. */
export type PostgresAccount = { uid: number; gid: number } | undefined;

const SYSTEM_PATH = '/usr/sbin:/usr/bin:/sbin:/bin';

export function postgresAccount(): PostgresAccount {
  if (process.getuid?.() !== 0) return undefined;
  const number = (flag: '-u' | '-g') => {
    const { status, stdout } = spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' });
    return status === 0 ? Number(stdout) : undefined;
  };
  try {
    if (number('-u') === undefined) {
      const env = { ...process.env, PATH: SYSTEM_PATH };
      execFileSync('useradd', ['--system', '--user-group', '--no-create-home', 'postgres'], { env, stdio: 'pipe' });
    }
  } catch (error) {
    throw new ServerStartError(
      `PostgreSQL does not run as root, and a user postgres could not be made: ${(error as Error).message.trim()}`,
    );
  }
  return { uid: number('-u') as number, gid: number('-g') as number };
}

/** Folders above may be closed to the account (root's home is): then it cannot open anything below them. */
function canEnter(account: PostgresAccount, folder: string): boolean {
  return (
    account === undefined || spawnSync('/bin/sh', ['-c', 'cd -- "$0"', folder], { ...account, cwd: '/', stdio: 'ignore' }).status === 0
  );
}

/** `folder`, or a copy of it where the account can read it. */
export function readableCopy(account: PostgresAccount, folder: string, name: string): string {
  if (canEnter(account, folder)) return folder;
  const copy = join('/var/cache/lacuna', name);
  if (existsSync(copy)) return copy;
  const part = `${copy}.part-${process.pid}`;
  mkdirSync(dirname(copy), { recursive: true });
  cpSync(folder, part, { recursive: true, verbatimSymlinks: true });
  try {
    renameSync(part, copy);
  } catch (error) {
    rmSync(part, { recursive: true, force: true });
    if (!existsSync(copy)) throw error;
  }
  return copy;
}

/**
 * Makes `folder` the account's own. Where the account cannot enter it, it becomes a link to a folder below /var/lib/lacuna; removing the
 * link gives the data up.
 */
export function makeWritable(account: PostgresAccount, folder: string): void {
  mkdirSync(dirname(folder), { recursive: true });
  if (account === undefined || canEnter(account, dirname(folder))) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } else {
    const elsewhere = join('/var/lib/lacuna', createHash('sha256').update(folder).digest('hex').slice(0, 12));
    if (!isLinkTo(folder, elsewhere)) {
      rmSync(elsewhere, { recursive: true, force: true });
      mkdirSync(dirname(elsewhere), { recursive: true });
      mkdirSync(elsewhere, { mode: 0o700 });
      symlinkSync(elsewhere, folder);
    }
    chownSync(elsewhere, account.uid, account.gid);
  }
  if (account) chownSync(folder, account.uid, account.gid);
}

function isLinkTo(link: string, target: string): boolean {
  return lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink() === true && readlinkSync(link) === target;
}
