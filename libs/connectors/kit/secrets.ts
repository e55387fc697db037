import { readFileSync } from 'node:fs';
import type { Secrets } from './inputs.js';

/** Reads references from the given environment and from files (trimmed). What is unset, empty or unreadable is null. */
export const secretsOf =
  (environment: Readonly<Record<string, string | undefined>>): Secrets =>
  (reference) => {
    if ('env' in reference) return environment[reference.env] || null;
    try {
      return readFileSync(reference.file, 'utf8').trim() || null;
    } catch {
      return null;
    }
  };
