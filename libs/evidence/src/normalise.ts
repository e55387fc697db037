/**
 * Normal forms of identifiers. Both sides of a comparison go through the same list, in its order. Each normaliser is idempotent.
 * docs/reference/matching.md says what each does, with examples.
 *
 * `number`, `email`, `phone` and `date` read a value: what they cannot read stays as it is, and is never equal to what they read.
 * `asciiBehaviour` states what others do to every ASCII character; the SQL side is checked against it.
 */
import { skeleton } from './normal-form/confusables.js';
import { dateForm, mayBeDate } from './normal-form/date.js';
import { digitsOnly, withoutLeadingZeros } from './normal-form/digits.js';
import { emailBase, emailForm, mayHoldEmail } from './normal-form/email.js';
import { foldCase } from './normal-form/fold-case.js';
import { BLANK, trim, withoutInvisible } from './normal-form/invisible.js';
import { mayBeNumber, numberForm } from './normal-form/number.js';
import { mayBePhone, phoneForm } from './normal-form/phone.js';
import { normaliserName } from './normaliser-text.js';
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

export interface Reading {
  readonly form: string;
  /** False: a normaliser could not read what came to it, so that the form is text that stands for nothing. */
  readonly isReadable: boolean;
}

export const reading = (normalisers: readonly Normaliser[], value: string): Reading => {
  let [form, isReadable] = [value, true];
  for (const normaliser of normalisers) {
    const next = formOf(normaliser)(form);
    if (next === null) isReadable = false;
    else form = next;
  }
  return { form, isReadable };
};

export const normalForm = (normalisers: readonly Normaliser[], value: string): string => reading(normalisers, value).form;

export const isReadable = (normalisers: readonly Normaliser[], value: string): boolean => reading(normalisers, value).isReadable;

/** Whether unread text may be a wanted form all the same. */
const doubts: Readonly<Partial<Record<NormaliserName, (wanted: string, found: string) => boolean>>> = {
  number: mayBeNumber,
  email: mayHoldEmail,
  phone: mayBePhone,
  date: mayBeDate,
};

/** Of two values of which one at least is not readable. False: in no reading could the found one be the wanted one. */
export const mayBeEqual = (normalisers: readonly Normaliser[], wanted: string, found: string): boolean => {
  let forms = [wanted, found] as const;
  for (const normaliser of normalisers) {
    const [nextWanted, nextFound] = [formOf(normaliser)(forms[0]), formOf(normaliser)(forms[1])];
    if (nextWanted === null) return true;
    if (nextFound === null) return doubts[normaliserName(normaliser)]?.(nextWanted, forms[1]) ?? true;
    forms = [nextWanted, nextFound];
  }
  return true;
};
