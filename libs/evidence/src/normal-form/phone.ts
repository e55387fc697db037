/**
 * Telephone numbers as E.164: `+`, country code, national number. What can be read in two ways is not read, such as 4930123 where the
 * country code is 49: it may lack the plus, or the zero that a spreadsheet took.
 */
import { digitsOnly, READ_UNITS_MAX, readingText } from './digits.js';

interface Plan {
  /** Written before a national number, and no part of it; '' where there is none. */
  readonly trunk: string;
  /** Written instead of the plus. */
  readonly international: string;
  /** Where all national numbers have the same length: that. Without the trunk prefix a number of this length is one. */
  readonly nationalDigits?: number;
  /** National numbers may begin with a zero, which is dialled from abroad as well. */
  readonly keepsZero?: boolean;
}

const WITHOUT_TRUNK: Plan = { trunk: '', international: '00' };
const PLANS: Readonly<Record<string, Plan>> = {
  '1': { trunk: '1', international: '011', nationalDigits: 10 },
  '7': { trunk: '8', international: '810', nationalDigits: 10 },
  '36': { trunk: '06', international: '00' },
  '39': { ...WITHOUT_TRUNK, keepsZero: true },
  ...Object.fromEntries(['225', '229', '242', '378'].map((code) => [code, { ...WITHOUT_TRUNK, keepsZero: true }])),
  ...Object.fromEntries(
    ['30', '34', '45', '47', '48', '65', '351', '352', '354', '356', '357', '371', '372', '376', '377', '420', '852', '853'].map((code) => [
      code,
      WITHOUT_TRUNK,
    ]),
  ),
};
const USUAL: Plan = { trunk: '0', international: '00' };
const planOf = (countryCode: string): Plan => (Object.hasOwn(PLANS, countryCode) ? PLANS[countryCode] : undefined) ?? USUAL;

const DIGITS_MIN = 7;
/** The most that E.164 has. */
const DIGITS_MAX = 15;
const PUNCTUATION = /[\p{White_Space}\p{Dash}./()]/gu;
/** +49 (0)30 123: the zero is for callers from within. */
const OPTIONAL_ZERO = /\(\p{White_Space}*0\p{White_Space}*\)/u;

/** Codes of one and two digits; all others have three. */
const CODE = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|[0-9]{3})/;

export const isCountryCode = (code: string): boolean => /^[1-9]/.test(code) && CODE.exec(code)?.[0] === code;

/** Country code and national number; the trunk prefix is dropped if it was written after the country code all the same. */
const withCountry = (countryCode: string, national: string, { trunk, nationalDigits }: Plan): string | null => {
  const isLonger = nationalDigits === undefined ? trunk.startsWith('0') : national.length === nationalDigits + 1;
  const rest = trunk !== '' && isLonger && national.startsWith(trunk) ? national.slice(trunk.length) : national;
  if (nationalDigits !== undefined && rest.length !== nationalDigits) return null;
  return trunk.startsWith('0') && rest.startsWith('0') ? null : `${countryCode}${rest}`;
};

const abroad = (digits: string): string | null => {
  const countryCode = digits.startsWith('0') ? undefined : CODE.exec(digits)?.[0];
  return countryCode === undefined ? null : withCountry(countryCode, digits.slice(countryCode.length), planOf(countryCode));
};

const atHome = (digits: string, countryCode: string, plan: Plan): string | null => {
  const { trunk, nationalDigits, keepsZero } = plan;
  if (nationalDigits !== undefined) {
    if (digits.length === nationalDigits) return `${countryCode}${digits}`;
    const isPrefixed = digits.startsWith(trunk) || digits.startsWith(countryCode);
    return isPrefixed && digits.length === nationalDigits + 1 ? `${countryCode}${digits.slice(1)}` : null;
  }
  if (trunk !== '') return digits.startsWith(trunk) ? withCountry(countryCode, digits.slice(trunk.length), plan) : null;
  const isAmbiguous = digits.startsWith(countryCode) || (digits.startsWith('0') && keepsZero !== true);
  return isAmbiguous ? null : `${countryCode}${digits}`;
};

const digitsOf = (text: string, countryCode: string): string | null => {
  const plan = planOf(countryCode);
  const compact = text.replace(PUNCTUATION, '');
  const prefix = ['+', plan.international].find((each) => compact.startsWith(each));
  if (prefix === undefined) return /^[0-9]+$/.test(compact) ? atHome(compact, countryCode, plan) : null;
  const [before = '', after] = text.split(OPTIONAL_ZERO);
  const abroadOf = before.replace(PUNCTUATION, '').slice(prefix.length);
  const isOptional = after !== undefined && planOf(abroadOf).keepsZero !== true;
  const digits = (isOptional ? `${before}${after}`.replace(PUNCTUATION, '') : compact).slice(prefix.length);
  return /^[0-9]+$/.test(digits) ? abroad(digits) : null;
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
