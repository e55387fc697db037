/** From a scripted answer to the bytes that are sent: names in braces are filled in and rows are made. */
import { isObject, type Json } from '../register/layers/merge-rules.js';
import type { WalkResponse } from './walk-file.js';

/** What a text of an answer may name in braces. */
export interface Filling {
  /** Of the local server that answers. */
  readonly origin: string;
  /** The how-many-eth use of this answer, from 1. */
  readonly page: number;
  /** Of a row, from its `from`. */
  readonly n?: number;
}

const ROWS_MAX = 100_000;
const NAMED = /\{(origin|page|n)(?::(\d{1,2}))?\}/g;
const NUMBER = /^\{(page|n):number\}$/;

/** `{n:6}` is padded with zeros; a whole text `{n:number}` becomes a number. */
export const filledText = (text: string, filling: Filling): string =>
  text.replaceAll(NAMED, (whole, name: keyof Filling, width: string | undefined) => {
    const value = filling[name];
    return value === undefined ? whole : String(value).padStart(Number(width ?? 0), '0');
  });

export const filledJson = (value: Json, filling: Filling): Json => {
  if (typeof value === 'string') {
    const [, name] = NUMBER.exec(value) ?? [];
    const number = name === undefined ? undefined : filling[name as 'page' | 'n'];
    return number ?? filledText(value, filling);
  }
  if (Array.isArray(value)) return value.flatMap((each: Json) => rowsIn(each, filling) ?? [filledJson(each, filling)]);
  if (!isObject(value)) return value;
  const rows = rowsIn(value, filling);
  if (rows) return rows as Json;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, filledJson(each, filling)]));
};

/** `{ $rows: { count, from, like } }` as a list, or spread within one. */
const rowsIn = (value: Json, filling: Filling): readonly Json[] | null => {
  if (!isObject(value) || !isObject(value['$rows'])) return null;
  const { count = 0, from = 1, like = null } = value['$rows'] as { count?: number; from?: number; like?: Json };
  const rows = Math.min(Math.max(Number(count) || 0, 0), ROWS_MAX);
  return Array.from({ length: rows }, (_, at) => filledJson(like, { ...filling, n: Number(from) + at }));
};

export const bodyOf = (response: WalkResponse, filling: Filling): Buffer => {
  if (response.base64 !== undefined) return Buffer.from(response.base64, 'base64');
  if (response.text !== undefined) return Buffer.from(filledText(response.text, filling));
  return response.json === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(filledJson(response.json, filling)));
};

export const headersOf = (response: WalkResponse, filling: Filling): Readonly<Record<string, string>> => {
  const named = Object.entries(response.headers ?? {}).map(([name, value]) => [name.toLowerCase(), filledText(value, filling)] as const);
  const headers = Object.fromEntries([['content-type', 'application/json'], ...named]);
  return Object.fromEntries(Object.entries(headers).filter(([name, value]) => name !== 'content-type' || value !== ''));
};
