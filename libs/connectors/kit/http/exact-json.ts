/**
 * JSON whose numbers lose nothing and compare by value: one whose decimal form JavaScript would not print (an integer beyond 2^53) is read
 * as the text of that form.
 */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

const DEPTH_MAX = 1_000;
const EXPONENT_ZEROS_MAX = 100;
const NUMBER_CHARACTERS = new Set('-+.eE0123456789');
/** Stands for a number too long to write out: no single value, so that whatever maps it fails. */
const UNSAFE_NUMBER = '{"":"unsafe number"}';

/** Throws SyntaxError for what is no JSON, has two members of one name, or is nested too deeply. */
export const parseExactJson = (text: string): Json => {
  const parsed = JSON.parse(text) as Json;
  const { exact, members } = scanned(text);
  // Of two members of one name JSON.parse keeps one.
  if (members !== membersIn(parsed)) throw new SyntaxError('the answer has two members of one name in an object');
  return exact === null ? parsed : (JSON.parse(exact) as Json);
};

const [QUOTE, MINUS, ZERO, NINE, COLON] = [0x22, 0x2d, 0x30, 0x39, 0x3a] as const;
const [OPEN_LIST, BACKSLASH, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5c, 0x5d, 0x7b, 0x7d] as const;
/** So many digits are always exact. */
const EXACT_DIGITS = 15;

/** The text is known to be JSON: one linear scan over its tokens. `exact` is null where no number is to be rewritten. */
const scanned = (text: string): { readonly exact: string | null; readonly members: number } => {
  const pieces: string[] = [];
  let [depth, members, copied] = [0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = stringEnd(text, at) - 1;
    else if (code === COLON) members += 1;
    else if (code === OPEN_OBJECT || code === OPEN_LIST) {
      depth += 1;
      if (depth > DEPTH_MAX) throw new SyntaxError('the answer is nested too deeply');
    } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) depth -= 1;
    else if (code === MINUS || (code >= ZERO && code <= NINE)) {
      const end = digitsEnd(text, at);
      const token = end < 0 ? text.slice(at, numberEnd(text, at)) : null;
      const written = token === null ? null : exactNumber(token);
      if (written !== null && written !== token) {
        pieces.push(text.slice(copied, at), written);
        copied = at + (token?.length ?? 0);
      }
      at = (token === null ? end : at + token.length) - 1;
    }
  }
  return { exact: pieces.length === 0 ? null : pieces.join('') + text.slice(copied), members };
};

/** Behind a short whole number without a sign, which is exact; -1: another number. */
const digitsEnd = (text: string, start: number): number => {
  let at = start;
  for (let code = text.charCodeAt(at); code >= ZERO && code <= NINE; code = text.charCodeAt(at)) at += 1;
  return at === start || at - start > EXACT_DIGITS || NUMBER_CHARACTERS.has(text.charAt(at)) ? -1 : at;
};

const numberEnd = (text: string, start: number): number => {
  let at = start + 1;
  while (NUMBER_CHARACTERS.has(text.charAt(at))) at += 1;
  return at;
};

const stringEnd = (text: string, start: number): number => {
  for (let at = start + 1; ; at += 1) {
    at = text.indexOf('"', at);
    let backslash = at - 1;
    while (text.charCodeAt(backslash) === BACKSLASH) backslash -= 1;
    if ((at - backslash) % 2 === 1) return at + 1;
  }
};

const membersIn = (json: Json): number => {
  if (typeof json !== 'object' || json === null) return 0;
  let members = 0;
  if (Array.isArray(json)) {
    for (const each of json as readonly Json[]) if (typeof each === 'object') members += membersIn(each);
    return members;
  }
  const object = json as Readonly<Record<string, Json>>;
  for (const name of Object.keys(object)) {
    members += 1;
    const each = object[name];
    if (typeof each === 'object') members += membersIn(each);
  }
  return members;
};

const exactNumber = (token: string): string => {
  if (!token.includes('e') && String(Number(token)) === token) return token;
  const decimal = decimalOf(token);
  if (decimal === null) return UNSAFE_NUMBER;
  return String(Number(decimal)) === decimal ? decimal : `"${decimal}"`;
};

/** Without exponent, trailing zeros of a fraction, or the sign of zero; null where the exponent adds too many zeros. */
const decimalOf = (token: string): string | null => {
  const sign = token.startsWith('-') ? '-' : '';
  const [mantissa = '', power = '0'] = token.slice(sign.length).split(/[eE]/);
  const [whole = '', fraction = ''] = mantissa.split('.');
  const all = whole + fraction;
  let first = 0;
  let last = all.length;
  while (all.charAt(first) === '0') first += 1;
  if (first === last) return '0';
  while (all.charAt(last - 1) === '0') last -= 1;
  const digits = all.slice(first, last);
  const point = whole.length - first + Number(power);
  if (Number(power) !== 0 && Math.max(-point, point - digits.length) > EXPONENT_ZEROS_MAX) return null;
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  if (point >= digits.length) return sign + digits + '0'.repeat(point - digits.length);
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
};

/** Pointers come from contracts, which are few, and are looked up in every row. */
const parsedPointers = new Map<string, readonly string[]>();
const POINTERS_MAX = 10_000;

const partsOf = (pointer: string): readonly string[] => {
  const known = parsedPointers.get(pointer);
  if (known) return known;
  const parts = pointer
    .split('/')
    .slice(1)
    .map((escaped) => escaped.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (parsedPointers.size >= POINTERS_MAX) parsedPointers.clear();
  parsedPointers.set(pointer, parts);
  return parts;
};

/** The value at a JSON Pointer; undefined where the path is absent. */
export const valueAt = (json: Json, pointer: string): Json | undefined => {
  let value: Json | undefined = json;
  for (const part of partsOf(pointer)) {
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
