/**
 * Telephone numbers as E.164: `+`, country code, national number. What can be read in two ways is not read, such as 4930123 where the
 * country code is 49: it may lack the plus, or the zero that a spreadsheet took.
 */
import { digitsOnly, READ_UNITS_MAX, readingText } from './digits.js';

interface Plan {
  /** What is written before a national number and is no part of it, from within or by mistake from abroad; the longest first. */
  readonly prefixes: readonly string[];
  /** Written instead of the plus. */
  readonly international: string;
  /** How many digits national numbers have, where it is known: one of that length needs no prefix. They do not begin with a zero. */
  readonly nationalDigits?: readonly number[];
  /** National numbers may begin with a zero, which is dialled from abroad as well. */
  readonly keepsZero?: boolean;
}

const USUAL: Plan = { prefixes: ['0'], international: '00' };
const NO_PREFIX: Plan = { prefixes: [], international: '00' };
const NO_PREFIX_IN = '30 34 45 47 48 65 351 352 354 356 357 371 372 376 377 420 852 853'.split(' ');
const KEEPS_ZERO_IN = '39 225 229 242 378'.split(' ');
const allOf = (countryCodes: readonly string[], plan: Plan) => countryCodes.map((code) => [code, plan] as const);

const PLANS: ReadonlyMap<string, Plan> = new Map([
  ...allOf(NO_PREFIX_IN, NO_PREFIX),
  ...allOf(KEEPS_ZERO_IN, { ...NO_PREFIX, keepsZero: true }),
  ['1', { prefixes: ['1'], international: '011', nationalDigits: [10] }],
  ['7', { prefixes: ['8'], international: '810', nationalDigits: [10] }],
  ['36', { ...USUAL, prefixes: ['06'] }],
  // The 1 and the 9 were, or are, written before mobile numbers from abroad alone.
  ['52', { ...USUAL, prefixes: ['01', '1'], nationalDigits: [10] }],
  ['54', { ...USUAL, prefixes: ['0', '9'], nationalDigits: [10] }],
  ['55', { ...USUAL, nationalDigits: [10, 11] }],
  ['57', { ...NO_PREFIX, nationalDigits: [10] }],
  ['86', { ...USUAL, nationalDigits: [10, 11] }],
  ...allOf(['90', '91'], { ...USUAL, nationalDigits: [10] }),
  ['370', { ...USUAL, prefixes: ['8', '0'], nationalDigits: [8] }],
  ['375', { ...USUAL, prefixes: ['80', '8', '0'], international: '810', nationalDigits: [9] }],
]);
const planOf = (countryCode: string): Plan => PLANS.get(countryCode) ?? USUAL;

const DIGITS_MIN = 7;
/** The most that E.164 has. */
const DIGITS_MAX = 15;
const PUNCTUATION = /[\p{White_Space}\p{Dash}./()]/gu;
/** +49 (0)30 123: the zero is for callers from within. */
const OPTIONAL_ZERO = /\(\p{White_Space}*0\p{White_Space}*\)/u;

/** Codes of one and two digits; all others have three. */
const CODE = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|[0-9]{3})/;

export const isCountryCode = (code: string): boolean => /^[1-9]/.test(code) && CODE.exec(code)?.[0] === code;

/** Without a prefix if it is written; null when that leaves no number of the country. */
const nationalOf = (written: string, prefixes: readonly string[], { nationalDigits }: Plan): string | null => {
  const isNational = (digits: string): boolean => !digits.startsWith('0') && nationalDigits?.includes(digits.length) !== false;
  const prefix = ['', ...prefixes].find((each) => written.startsWith(each) && isNational(written.slice(each.length)));
  return prefix === undefined ? null : written.slice(prefix.length);
};

const abroad = (digits: string): string | null => {
  const countryCode = digits.startsWith('0') ? undefined : CODE.exec(digits)?.[0];
  if (countryCode === undefined) return null;
  const plan = planOf(countryCode);
  const written = digits.slice(countryCode.length);
  if (plan.keepsZero === true) return written.startsWith('00') ? null : digits;
  const national = nationalOf(written, plan.prefixes, plan);
  return national === null ? null : `${countryCode}${national}`;
};

const atHome = (digits: string, countryCode: string, plan: Plan): string | null => {
  const { prefixes, nationalDigits, keepsZero } = plan;
  if (nationalDigits === undefined && prefixes.length === 0)
    return digits.startsWith(countryCode) || (digits.startsWith('0') && keepsZero !== true) ? null : `${countryCode}${digits}`;
  if (nationalDigits === undefined && !prefixes.some((each) => digits.startsWith(each))) return null;
  const national = nationalOf(digits, nationalDigits === undefined ? prefixes : [...prefixes, countryCode], plan);
  return national === null ? null : `${countryCode}${national}`;
};

/** What stands behind the plus, or what is written instead of it. */
const international = (text: string, prefix: string): string | null => {
  const compact = text.replace(PUNCTUATION, '');
  const [before = '', after] = text.split(OPTIONAL_ZERO);
  const abroadOf = before.replace(PUNCTUATION, '').slice(prefix.length);
  const isOptional = after !== undefined && planOf(abroadOf).keepsZero !== true;
  const digits = (isOptional ? `${before}${after}`.replace(PUNCTUATION, '') : compact).slice(prefix.length);
  return /^[0-9]+$/.test(digits) ? abroad(digits) : null;
};

const digitsOf = (text: string, countryCode: string): string | null => {
  const plan = planOf(countryCode);
  const compact = text.replace(PUNCTUATION, '');
  if (compact.startsWith('+')) return international(text, '+');
  const home = /^[0-9]+$/.test(compact) ? atHome(compact, countryCode, plan) : null;
  if (!compact.startsWith(plan.international)) return home;
  // An area may begin with the same digits as what is dialled to get out of the country.
  return home === null ? international(text, plan.international) : null;
};

/** The number as `+` and digits; null when it is not read as one, such as with letters or an extension. */
export const phoneForm = (countryCode: string, value: string): string | null => {
  const text = readingText(value);
  if (text.length > READ_UNITS_MAX) return null;
  const digits = digitsOf(text, countryCode);
  return digits === null || digits.length < DIGITS_MIN || digits.length > DIGITS_MAX ? null : `+${digits}`;
};

/** So many last digits of a number stand in every writing of it. */
const END_DIGITS = 6;
const KEYPAD = '22233344455566677778889999';
const onKeypad = (text: string): string => text.replace(/[a-z]/g, (letter) => KEYPAD.charAt(letter.charCodeAt(0) - 'a'.charCodeAt(0)));

/** Text that is read as no number is the wanted one at most where it holds its end, or is a part of that. Letters may be keys. */
export const mayBePhone = (wanted: string, found: string): boolean => {
  const text = readingText(found).toLowerCase();
  const [digits, keyed] = [digitsOnly(text), digitsOnly(onKeypad(text))];
  const isPart = digits !== '' && digits.length < END_DIGITS && wanted.endsWith(digits);
  return isPart || [digits, keyed].some((each) => each.includes(wanted.slice(-END_DIGITS)));
};
