import { readFileSync } from 'node:fs';
import type { Secrets } from './inputs.js';

/**
 * Reads references from the given environment and from files (trimmed). A variable that is not set may be kept in the file that
 * `<name>_FILE` names, as every secret of a service may. What is unset, empty or unreadable is null.
 */
export const secretsOf =
  (environment: Readonly<Record<string, string | undefined>>): Secrets =>
  (reference) => {
    if ('file' in reference) return contentOf(reference.file);
    const file = environment[`${reference.env}_FILE`];
    return environment[reference.env] || (file ? contentOf(file) : null);
  };

function contentOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim() || null;
  } catch {
    return null;
  }
}
