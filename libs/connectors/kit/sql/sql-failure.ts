/** What an error of PostgreSQL or of its driver means for an attempt. */
import type { ReasonCode } from '@lacuna/evidence';
import type { ReadFailure } from '../source-reader.js';

const REASON_OF_CLASS: readonly (readonly [RegExp, ReasonCode, string])[] = [
  [/^42501$/, 'source-forbidden', 'not allowed to read the table, or row-level security would hide rows'],
  [/^28/, 'source-forbidden', 'the credential is refused'],
  [/^57014$/, 'timed-out', 'the statement took too long'],
  [/^25P0[34]$/, 'timed-out', 'the transaction took too long'],
  [/^(53|08|57|58|40|55|72)/, 'source-unavailable', 'the server could not answer'],
  [/^(42|22|3D|3F)/, 'response-invalid', 'the table is not as the register says'],
];

/** SQLSTATE only: messages can hold values of records. `ended`: our own signal. */
export const sqlFailure = (error: unknown, ended: boolean): ReadFailure => {
  const of = (reason: ReasonCode, detail: string): ReadFailure => ({ type: 'failure', reason, detail, status: null, retryAfterMs: null });
  if (ended) return of('budget-time', 'the time for the attempt is used up');
  const code = (error as { code?: unknown }).code;
  const text = typeof code === 'string' ? code : '';
  const known = /^[0-9A-Z]{5}$/.test(text) ? REASON_OF_CLASS.find(([pattern]) => pattern.test(text)) : undefined;
  if (known) return of(known[1], `${known[2]} (${text})`);
  return of('source-unavailable', text === '' ? 'the connection failed' : `the connection failed: ${text}`);
};
