/**
 * Normal forms of identifiers. Both sides of a comparison go through the same list, in its order. Each normaliser is idempotent.
 * docs/reference/matching.md says what each does, with examples.
 *
 * `number`, `phone` and `date` read a value: what they cannot read stays as it is, and is never equal to what they read.
 * `asciiBehaviour` states what the others do to every ASCII character; the SQL side is checked against it.
 */
import { skeleton } from './normal-form/confusables.js';
import { dateForm } from './normal-form/date.js';
import { digitsOnly, withoutLeadingZeros } from './normal-form/digits.js';
import { emailBase, emailForm } from './normal-form/email.js';
import { foldCase } from './normal-form/fold-case.js';
import { BLANK, trim, withoutInvisible } from './normal-form/invisible.js';
import { numberForm } from './normal-form/number.js';
import { phoneForm } from './normal-form/phone.js';
import type { Normaliser, NormaliserName, PlainNormaliser } from './register.js';

export interface AsciiBehaviour {
  /** Characters removed at both ends of the value. */
  readonly removedAtEnds: string;
  /** Characters removed wherever they stand. */
  readonly removedEverywhere: string;
  /** Characters replaced one by one by those of `mappedTo`. All characters in no list stay as they are. */
  readonly mappedFrom: string;
  readonly mappedTo: string;
}

const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).join('');
const ASCII_SPACE = '\t\n\v\f\r ';
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const NOTHING: AsciiBehaviour = { removedAtEnds: '', removedEverywhere: '', mappedFrom: '', mappedTo: '' };
const FOLDED: AsciiBehaviour = { ...NOTHING, mappedFrom: UPPER, mappedTo: UPPER.toLowerCase() };

/** Of the normalisers that do the same to a character wherever it stands, or at the ends. */
export const asciiBehaviour = {
  nfkc: NOTHING,
  'case-fold': FOLDED,
  trim: { ...NOTHING, removedAtEnds: ASCII_SPACE },
  'strip-separators': { ...NOTHING, removedEverywhere: `${ASCII_SPACE}-./_` },
  'digits-only': { ...NOTHING, removedEverywhere: ASCII.replace(/[0-9]/g, '') },
  email: { ...FOLDED, removedAtEnds: ASCII_SPACE },
  confusables: { ...NOTHING, mappedFrom: `${UPPER}i01|`, mappedTo: `${UPPER.toLowerCase().replace('i', 'l')}loll` },
} as const satisfies Partial<Record<NormaliserName, AsciiBehaviour>>;

const DASH = String.raw`\p{Dash}`;
const DOT = String.raw`.\u00B7\u2024\u2027\u3002\uFF0E\uFF61`;
const SLASH = String.raw`/\u2044\u2215\uFF0F`;
const UNDERSCORE = String.raw`_\u203F\uFF3F`;
const SEPARATORS = new RegExp(`[${BLANK}${DASH}${DOT}${SLASH}${UNDERSCORE}]+`, 'gu');

/** Null: it cannot be read. */
type Form = (value: string) => string | null;

const plain: Readonly<Record<PlainNormaliser, Form>> = {
  // Unseen characters first: one between a letter and its accent would keep them apart.
  nfkc: (value) => withoutInvisible(value).normalize('NFKC'),
  'case-fold': foldCase,
  trim,
  'strip-separators': (value) => value.replace(SEPARATORS, ''),
  'digits-only': digitsOnly,
  'strip-leading-zeros': withoutLeadingZeros,
  number: numberForm,
  email: emailForm,
  'email-base': emailBase,
  confusables: skeleton,
};

/** A register of a later version may name what is not known here: then nothing can be read. */
const unknown: Form = () => null;

const formOf = (normaliser: Normaliser): Form => {
  if (typeof normaliser === 'string') return Object.hasOwn(plain, normaliser) ? plain[normaliser] : unknown;
  if ('phone' in normaliser) return (value) => phoneForm(normaliser.phone.countryCode, value);
  return 'date' in normaliser ? (value) => dateForm(normaliser.date.zone, value) : unknown;
};

export const normalForm = (normalisers: readonly Normaliser[], value: string): string =>
  normalisers.reduce((form, normaliser) => formOf(normaliser)(form) ?? form, value);

/** False: one of them cannot read what comes to it, so that the form is text that stands for nothing. */
export const isReadable = (normalisers: readonly Normaliser[], value: string): boolean => {
  let form = value;
  for (const normaliser of normalisers) {
    const next = formOf(normaliser)(form);
    if (next === null) return false;
    form = next;
  }
  return true;
};

export const normaliserName = (normaliser: Normaliser): NormaliserName =>
  typeof normaliser === 'string' ? normaliser : 'phone' in normaliser ? 'phone' : 'date';

/** One text for one normaliser with its parameters, such as `phone countryCode=49`. */
export const normaliserText = (normaliser: Normaliser): string => {
  if (typeof normaliser === 'string') return normaliser;
  return 'phone' in normaliser ? `phone countryCode=${normaliser.phone.countryCode}` : `date zone=${normaliser.date.zone}`;
};

/**
 * Raised when a normaliser gives any value another form, so that the keys of a write target that were digested under the old one are not
 * looked for under the new one. The forms of a character that Unicode has assigned never change; a key with another one is refused.
 */
export const normaliserVersions: Readonly<Record<NormaliserName, number>> = {
  nfkc: 2,
  'case-fold': 1,
  trim: 2,
  'strip-separators': 2,
  'digits-only': 1,
  'strip-leading-zeros': 1,
  number: 1,
  email: 1,
  'email-base': 1,
  confusables: 1,
  phone: 1,
  date: 1,
};
