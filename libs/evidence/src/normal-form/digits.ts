/** Decimal digits of any script as 0 to 9. Their code points stand in whole tens, each beginning with its zero. */
import { trim, withoutInvisible } from './invisible.js';

const DIGIT = /^\p{Nd}$/u;
const OTHER_DIGITS = /(?![0-9])\p{Nd}/gu;
const isDigit = (code: number): boolean => DIGIT.test(String.fromCodePoint(code));

const asciiDigit = (digit: string): string => {
  const code = digit.codePointAt(0) ?? 0;
  let first = code;
  while (isDigit(first - 1)) first -= 1;
  return String((code - first) % 10);
};

export const withAsciiDigits = (value: string): string => value.replace(OTHER_DIGITS, asciiDigit);

export const digitsOnly = (value: string): string => withAsciiDigits(value.replace(/\P{Nd}+/gu, ''));

/** A run of nothing but zeros keeps one, so that A-000 is A-0 and not A-. */
export const withoutLeadingZeros = (value: string): string => value.replace(/(?<![0-9])0+(?=[0-9])/g, '');

const WIDE = /[\uFF01-\uFF5E]/g;
const WIDE_OFFSET = 0xfee0;

/**
 * Text that a number, date or telephone number is read from: digits and full-width forms as ASCII, nothing invisible, no blank at the ends.
 * Not NFKC, which would read 10² as 102.
 */
export const readingText = (value: string): string =>
  trim(withAsciiDigits(withoutInvisible(value)).replace(WIDE, (wide) => String.fromCharCode(wide.charCodeAt(0) - WIDE_OFFSET)));

/** Nothing longer is read. A question's value is never longer. */
export const READ_UNITS_MAX = 512;
