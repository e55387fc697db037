import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { claimDataFolder } from './claim-data-folder.js';

const folderOf = (pid: number) => {
  const folder = mkdtempSync(join(tmpdir(), 'lacuna-claim-'));
  writeFileSync(join(folder, 'process'), `${pid}\n`);
  return folder;
};

it('names the Lacuna that runs on the folder; fails when a person is told to stop PostgreSQL', () => {
  const folder = folderOf(process.ppid);
  const claim = () => claimDataFolder(folder, () => true);
  expect(claim).toThrow(`${folder}: Lacuna already runs on this data folder (process ${process.ppid}): stop it, or use --data`);
  expect(readFileSync(join(folder, 'process'), 'utf8')).toBe(`${process.ppid}\n`);
});

it.each([
  ['whose process is gone', 2 ** 30, true],
  ['whose number went to another program', process.ppid, false],
])('takes over a folder %s; fails when a crash needs a person', (_what, pid, isPostgresRunning) => {
  const folder = folderOf(pid);
  const release = claimDataFolder(folder, () => isPostgresRunning);
  expect(readFileSync(join(folder, 'process'), 'utf8')).toBe(`${process.pid}\n`);
  release();
  expect(existsSync(join(folder, 'process'))).toBe(false);
});
