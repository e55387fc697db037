import { invalidParameter } from './problems.js';

export const LIST_ROWS_MAX = 200;
export const LIST_ROWS_DEFAULT = 50;

/** An opaque cursor: base64url of a JSON object with text and boolean members. */
export function encodeCursor(position: object): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/** @throws the 400 problem for a cursor that this list did not give out. */
export function decodeCursor<T extends Readonly<Record<string, 'string' | 'boolean' | 'time'>>>(
  cursor: string | undefined,
  members: T,
): { [K in keyof T]: T[K] extends 'boolean' ? boolean : string } | null {
  if (cursor === undefined) return null;
  const position = parse(cursor);
  const fits = position && Object.entries(members).every(([name, form]) => isOf(form, position[name]));
  if (!fits) throw invalidParameter('cursor', 'is not one that this list gave out; start without it');
  return position as { [K in keyof T]: T[K] extends 'boolean' ? boolean : string };
}

function isOf(form: 'string' | 'boolean' | 'time', value: unknown): boolean {
  if (form !== 'time') return typeof value === form && !String(value).includes('\u0000');
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value) && !Number.isNaN(Date.parse(value));
}

function parse(cursor: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return typeof value === 'object' ? (value as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}
