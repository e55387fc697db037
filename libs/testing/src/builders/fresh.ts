/** Values that no other test has. */
import { createHash, randomUUID } from 'node:crypto';

/** `question-3f0c1a2b4d5e`: fits every rule for ids, tenants and names. */
export function freshId(prefix: string): string {
  return `${prefix}-${randomUUID().replaceAll('-', '').slice(0, 12)}`;
}

export function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The moment that builders start from. */
export const NOON = '2026-01-31T12:00:00.000Z';

/** A moment so many milliseconds after `NOON`. */
export function afterNoon(ms: number): string {
  return new Date(Date.parse(NOON) + ms).toISOString();
}
