/**
 * JSON whose numbers lose nothing: one that JavaScript would print otherwise than it was written (an integer beyond 2^53, 1.0, 1e3) is read
 * as its source text.
 */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

const MAY_LOSE = /\d{16}|\d[.eE]|(?:^|[:[,\s])-0/;
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Throws SyntaxError for what is no JSON. */
export const parseExactJson = (text: string): Json => {
  const parsed = JSON.parse(text) as Json;
  if (!MAY_LOSE.test(text)) return parsed;
  // The text is known to be JSON, so every token is a whole string or a whole number and the scan is linear.
  const exact = text.replace(TOKENS, (token) => (token.startsWith('"') || String(Number(token)) === token ? token : `"${token}"`));
  return JSON.parse(exact) as Json;
};

/** The value at a JSON Pointer; undefined where the path is absent. */
export const valueAt = (json: Json, pointer: string): Json | undefined => {
  let value: Json | undefined = json;
  for (const escaped of pointer.split('/').slice(1)) {
    const part = escaped.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null) return undefined;
    if (Array.isArray(value) && !/^(0|[1-9]\d*)$/.test(part)) return undefined;
    value = Object.hasOwn(value, part) ? (value as Readonly<Record<string, Json>>)[part] : undefined;
  }
  return value;
};

/** Text of a scalar; null for null; undefined for an absent path. A list or an object is `unreadable`. */
export const textOf = (value: Json | undefined): { readonly text: string | null | undefined } | 'unreadable' => {
  if (value === undefined || value === null) return { text: value };
  return typeof value === 'object' ? 'unreadable' : { text: String(value) };
};
