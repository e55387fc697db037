/**
 * What the answer to a create means. Pure. Only what says so counts as created, existing or refused; whatever may have been processed is
 * `unknown`. That 408 and 429 come before processing: RFC 9110, 15.5.9, and RFC 6585, 4. A 5xx or a redirect may come after it.
 */
import { parseExactJson, textOf, valueAt, type Json } from '../http/exact-json.js';
import type { OutsideCreate } from './outside-target.js';

export type OutsideOutcome =
  | { readonly type: 'created'; readonly recordId: string }
  /** `recordId` null: an earlier send of ours arrived, and nothing says as what. */
  | { readonly type: 'exists'; readonly recordId: string | null }
  | { readonly type: 'refused'; readonly detail: string }
  /** Nothing was processed: the same send may be repeated. */
  | { readonly type: 'not-sent'; readonly detail: string; readonly retryAfterMs: number | null }
  | { readonly type: 'unknown'; readonly detail: string };

export interface OutsideAnswer {
  readonly status: number;
  readonly body: Buffer;
  readonly retryAfterMs: number | null;
}

const RECORD_ID_CHARACTERS_MAX = 512;
const NOT_PROCESSED: readonly number[] = [408, 429];

export const outcomeOfAnswer = ({ status, body, retryAfterMs }: OutsideAnswer, create: OutsideCreate): OutsideOutcome => {
  const { created, conflict, otherPayload } = create;
  const json = jsonIn(body);
  if (otherPayload?.status === status && textAt(json, otherPayload.path) === otherPayload.equals) return { type: 'exists', recordId: null };
  if (created.statuses.includes(status)) {
    const recordId = idAt(json, created.id);
    return recordId === null ? unknown(`HTTP ${status} without an id`) : { type: 'created', recordId };
  }
  if (conflict?.statuses.includes(status)) {
    const recordId = idAt(json, conflict.id);
    return recordId === null ? unknown(`HTTP ${status} that names no record`) : { type: 'exists', recordId };
  }
  if (NOT_PROCESSED.includes(status)) return { type: 'not-sent', detail: `HTTP ${status}`, retryAfterMs };
  // A conflict that the contract does not read may be with a send of ours.
  const isRefusal = status >= 400 && status < 500 && status !== 409;
  return isRefusal ? { type: 'refused', detail: `HTTP ${status}` } : unknown(`HTTP ${status}`);
};

const unknown = (detail: string): OutsideOutcome => ({ type: 'unknown', detail });

const jsonIn = (body: Buffer): Json | undefined => {
  try {
    return parseExactJson(body.toString('utf8'));
  } catch {
    return undefined;
  }
};

const textAt = (json: Json | undefined, pointer: string): string | null => {
  const text = json === undefined ? 'unreadable' : textOf(valueAt(json, pointer));
  return text === 'unreadable' ? null : (text.text ?? null);
};

const idAt = (json: Json | undefined, pointer: string): string | null => {
  const id = textAt(json, pointer);
  return id === null || id === '' || id.length > RECORD_ID_CHARACTERS_MAX ? null : id;
};
