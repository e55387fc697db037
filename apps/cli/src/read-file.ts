/** Files that an option names. */
import { readFile, stat } from 'node:fs/promises';
import { CliError } from './cli-error.js';

/** @throws CliError which option names what, and why it cannot be read */
export async function readNamedFile(option: string, path: string, bytesMax: number): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size > bytesMax) throw new CliError(`${option} names ${path}, which has ${size} bytes; at most ${bytesMax} are read`);
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(`${option} names ${path}, which cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`);
  }
}
