/** One answer of a source, and what stands at a place of it. */
import type { Place, Scalar } from '../register/connect.js';
import { textOf, valueAt, type Json } from './exact-json.js';
import { linkTarget } from './link-header.js';

export type AnswerHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface Answer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: AnswerHeaders;
  readonly json: Json;
}

/** What makes an answer unreadable by the contract. */
export class AnswerUnreadable extends Error {}

export const headerText = (headers: AnswerHeaders, name: string): string | undefined => {
  const value = headers[name];
  return typeof value === 'string' || value === undefined ? value : value.join(', ');
};

/** Undefined where nothing stands there. @throws AnswerUnreadable for a link header that does not follow its grammar */
export const valueOf = (answer: Answer, place: Place): Json | undefined => {
  if (typeof place === 'string') return valueAt(answer.json, place);
  if ('header' in place) return headerText(answer.headers, place.header);
  if ('lastRow' in place) return undefined;
  const header = headerText(answer.headers, 'link');
  const target = header === undefined ? undefined : linkTarget(header, place.link);
  if (target === null) throw new AnswerUnreadable('the link header cannot be read');
  return target;
};

/** Whether a value is that scalar. What stands in a header is always text. */
export const isScalar = (value: Json | undefined, scalar: Scalar, place: Place): boolean =>
  value === scalar || (typeof place === 'object' && 'header' in place && typeof value === 'string' && value.trim() === String(scalar));

export const isAmong = (value: Json | undefined, scalars: readonly Scalar[], place: Place): boolean =>
  scalars.some((scalar) => isScalar(value, scalar, place));

/** Both are single values, and the same as text: 5 and "5" are one count. */
export const isSameValue = (one: Json | undefined, other: Json | undefined): boolean => {
  const [left, right] = [textOf(one), textOf(other)];
  if (left === 'unreadable' || right === 'unreadable') return false;
  return typeof left.text === 'string' && left.text === right.text;
};

/** A whole number that is not negative, also as text; null for anything else. */
export const countOf = (value: Json | undefined): number | null => {
  const text = typeof value === 'string' ? value.trim() : String(value);
  if ((typeof value !== 'number' && typeof value !== 'string') || !/^\d{1,16}$/.test(text)) return null;
  const count = Number(text);
  return Number.isSafeInteger(count) ? count : null;
};
