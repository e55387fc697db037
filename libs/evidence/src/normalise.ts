/**
 * Normal forms of identifiers. Both sides of a comparison go through the same list, in its order. Each normaliser is idempotent.
 *
 * - `nfkc`: Unicode NFKC. PostgreSQL: `normalize(v, NFKC)`.
 * - `case-fold`: `toUpperCase` then `toLowerCase`, with the known exceptions put right: capital sharp s becomes `ss` as `ß` does, final
 *   sigma becomes sigma. Dotless i folds to `i`: wider than Unicode's full folding, which can only show more records. PostgreSQL: `lower(v)`.
 * - `trim`: white space and zero-width characters at both ends. PostgreSQL: `btrim(v, E' \t\n\x0b\f\r')`.
 * - `strip-separators`: everywhere, all that `trim` takes, and dashes, soft hyphen, dots, slashes (not the backslash) and underscores.
 *   PostgreSQL: `translate(v, E' \t\n\x0b\f\r-./_', '')`.
 *
 * `asciiBehaviour` states what each does to every ASCII character; the SQL side is checked against it.
 */
import type { NormaliserName } from './register.js';

export interface AsciiBehaviour {
  /** Characters removed at both ends of the value. */
  readonly removedAtEnds: string;
  /** Characters removed wherever they stand. */
  readonly removedEverywhere: string;
  /** Characters replaced one by one by those of `mappedTo`. All characters in no list, among them 0-8, 14-31 and 127, stay as they are. */
  readonly mappedFrom: string;
  readonly mappedTo: string;
}

const ASCII_SPACE = '\t\n\v\f\r ';
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const NOTHING: AsciiBehaviour = { removedAtEnds: '', removedEverywhere: '', mappedFrom: '', mappedTo: '' };

export const asciiBehaviour: Readonly<Record<NormaliserName, AsciiBehaviour>> = {
  nfkc: NOTHING,
  'case-fold': { ...NOTHING, mappedFrom: UPPER, mappedTo: UPPER.toLowerCase() },
  trim: { ...NOTHING, removedAtEnds: ASCII_SPACE },
  'strip-separators': { ...NOTHING, removedEverywhere: `${ASCII_SPACE}-./_` },
};

/** White space, and the characters of width zero: U+180E, U+200B to U+200D, U+2060, U+FEFF. */
const BLANK = String.raw`\p{White_Space}\u180E\u200B-\u200D\u2060\uFEFF`;
const DASH = String.raw`\p{Dash}\u00AD`;
const DOT = String.raw`.\u00B7\u2024\u2027\u3002\uFF0E\uFF61`;
const SLASH = String.raw`/\u2044\u2215\uFF0F`;
const UNDERSCORE = String.raw`_\u203F\uFF3F`;

const BLANK_CHARACTER = new RegExp(`[${BLANK}]`, 'u');
const SEPARATORS = new RegExp(`[${BLANK}${DASH}${DOT}${SLASH}${UNDERSCORE}]+`, 'gu');

/** By index and not by one expression, which would take quadratic time on a long run of spaces. All blanks are one UTF-16 unit. */
const trim = (value: string): string => {
  let start = 0;
  let end = value.length;
  while (start < end && BLANK_CHARACTER.test(value.charAt(start))) start += 1;
  while (end > start && BLANK_CHARACTER.test(value.charAt(end - 1))) end -= 1;
  return value.slice(start, end);
};

const foldCase = (value: string): string => value.replaceAll('\u1E9E', 'ss').toUpperCase().toLowerCase().replaceAll('\u03C2', '\u03C3');

const normalisers: Readonly<Record<NormaliserName, (value: string) => string>> = {
  nfkc: (value) => value.normalize('NFKC'),
  'case-fold': foldCase,
  trim,
  'strip-separators': (value) => value.replace(SEPARATORS, ''),
};

export const normalForm = (names: readonly NormaliserName[], value: string): string =>
  names.reduce((form, name) => normalisers[name](form), value);
