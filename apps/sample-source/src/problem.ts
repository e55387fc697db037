import { STATUS_CODES } from 'node:http';

/** The request is refused; the message says what to change. */
export class BadRequest extends Error {}

/** An RFC 9457 problem. */
export function problem(status: number, detail: string): string {
  return JSON.stringify({ type: 'about:blank', title: STATUS_CODES[status] ?? 'Error', status, detail });
}
