import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { livePostmaster } from './postgres-server.js';

/**
 * Notes in the folder which process runs Lacuna on it; answers how to take the note away.
 * A note is believed while its process lives and the folder's PostgreSQL runs: the number of a killed process may belong to any program.
 * @throws an error of one line when another process does.
 */
export function claimDataFolder(folder: string, isPostgresRunning = () => livePostmasterIn(folder)): () => void {
  const note = join(folder, 'process');
  const holder = noted(note);
  if (holder !== null && holder !== process.pid && isAlive(holder) && isPostgresRunning())
    throw new Error(`${folder}: Lacuna already runs on this data folder (process ${holder}): stop it, or use --data`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(note, `${process.pid}\n`);
  return () => {
    if (noted(note) === process.pid) rmSync(note, { force: true });
  };
}

const livePostmasterIn = (folder: string): boolean => livePostmaster(join(folder, 'postgres', 'cluster', 'data')) !== undefined;

function noted(file: string): number | null {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    return Number.isSafeInteger(pid) && pid > 0 ? pid : null;
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
