/** What an HTTP answer that is no page, or no answer at all, means. */
import type { ReasonCode } from '@lacuna/evidence';
import type { HttpConnect } from '../register/connect.js';
import type { ReadFailure } from '../source-reader.js';
import { EgressRefused } from './egress.js';

const RETRY_AFTER_MAX_MS = 86_400_000;

export const failure = (
  reason: ReasonCode,
  detail: string,
  status: number | null = null,
  retryAfterMs: number | null = null,
): ReadFailure => ({ type: 'failure', reason, detail, status, retryAfterMs });

const REASON_OF_STATUS: Readonly<Record<number, ReasonCode>> = {
  206: 'partial-answer',
  401: 'source-forbidden',
  403: 'source-forbidden',
  404: 'source-unavailable',
  408: 'timed-out',
  425: 'rate-limited',
  429: 'rate-limited',
  504: 'timed-out',
};

/** What a request stands on: nothing before it, a cursor of the source, or a number of ours. */
export type Standing = 'start' | 'cursor' | 'number';

/** Any status but 200. A 404 that is documented as "nothing" is handled before. */
export const statusFailure = (status: number, standing: Standing, retryAfterMs: number | null): ReadFailure => {
  if (status === 410) return failure(standing === 'start' ? 'source-unavailable' : 'cursor-expired', 'gone', status);
  if (status === 404 && standing === 'cursor') return failure('cursor-expired', 'the cursor leads to a 404', status);
  const listed = REASON_OF_STATUS[status] ?? (status >= 500 ? 'source-unavailable' : 'response-invalid');
  const detail = status >= 300 && status < 400 ? 'a redirect, which is not followed' : `HTTP ${status}`;
  return failure(listed, detail, status, retryAfterMs);
};

/** Seconds or an HTTP date, in ms from now, at most a day; null for anything else. */
export const retryAfterMsOf = (header: string | undefined, now: Date): number | null => {
  if (header === undefined) return null;
  const ms = /^\d{1,9}$/.test(header.trim()) ? Number(header) * 1_000 : Date.parse(header) - now.getTime();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), RETRY_AFTER_MAX_MS) : null;
};

const TIMEOUT_CODES: readonly string[] = ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT'];

/** An exception of undici. `ended`: our own signal, for the whole attempt. */
export const thrownFailure = (error: unknown, ended: boolean, connect: Pick<HttpConnect, 'requestTimeoutMs'>): ReadFailure => {
  if (ended) return failure('budget-time', 'the time for the attempt is used up');
  const { name, code, cause } = error as { name?: string; code?: string; cause?: unknown };
  if (error instanceof EgressRefused || cause instanceof EgressRefused) return failure('source-forbidden', 'the address is not allowed');
  if (name === 'TimeoutError' || TIMEOUT_CODES.includes(code ?? ''))
    return failure('timed-out', `no whole answer within ${connect.requestTimeoutMs} ms`);
  if (code?.startsWith('HPE_') || name === 'HTTPParserError') return failure('response-invalid', 'no HTTP answer');
  return failure('source-unavailable', code === undefined ? 'the connection failed' : `the connection failed: ${code}`);
};
