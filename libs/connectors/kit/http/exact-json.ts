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
  const exact = exactText(text);
  return exact === null ? parsed : (JSON.parse(exact) as Json);
};

/** The text is known to be JSON: one linear scan over its tokens. Null where no number is to be rewritten. */
const exactText = (text: string): string | null => {
  const pieces: string[] = [];
  const open: (Set<string> | null)[] = [];
  let isName = false;
  let copied = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') {
      const end = stringEnd(text, at);
      if (isName) addName(open.at(-1), text.slice(at, end));
      at = end - 1;
    } else if (character === '{' || character === '[') {
      if (open.push(character === '{' ? new Set() : null) > DEPTH_MAX) throw new SyntaxError('the answer is nested too deeply');
      isName = character === '{';
    } else if (character === '}' || character === ']') {
      open.pop();
      isName = false;
    } else if (character === ',') isName = open.at(-1) instanceof Set;
    else if (character === ':') isName = false;
    else if (character === '-' || (character >= '0' && character <= '9')) {
      let end = at + 1;
      while (NUMBER_CHARACTERS.has(text.charAt(end))) end += 1;
      const token = text.slice(at, end);
      const written = exactNumber(token);
      if (written !== token) {
        pieces.push(text.slice(copied, at), written);
        copied = end;
      }
      at = end - 1;
    }
  }
  return pieces.length === 0 ? null : pieces.join('') + text.slice(copied);
};

const stringEnd = (text: string, start: number): number => {
  for (let at = start + 1; ; at += 1) {
    at = text.indexOf('"', at);
    let backslash = at - 1;
    while (text.charAt(backslash) === '\\') backslash -= 1;
    if ((at - backslash) % 2 === 1) return at + 1;
  }
};

const addName = (names: Set<string> | null | undefined, token: string): void => {
  const name = JSON.parse(token) as string;
  if (names?.has(name)) throw new SyntaxError('the answer has two members of one name in an object');
  names?.add(name);
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
