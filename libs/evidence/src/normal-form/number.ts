/**
 * Decimal numbers, exactly: as digits, never as floating point. Grouping marks and a decimal comma are not read, nor a point that may be
 * one: 1,000 and 1.000 are a thousand to one reader and one to another.
 */
import { digitsOnly, READ_UNITS_MAX, readingText } from './digits.js';

const NUMBER = /^([+-]?)([0-9]*)(?:\.([0-9]*))?(?:e([+-]?)0*([0-9]{1,6}))?$/i;
const MAY_BE_GROUPED = /^[+-]?[1-9][0-9]{0,2}\.[0-9]{3}$/;
/** Written out with zeros up to here, with an exponent beyond. */
const ZEROS_MAX = 40;

/** The value as its shortest decimal, such as `-12.5`; null when it is no number. */
export const numberForm = (value: string): string | null => {
  const text = readingText(value).replace(/^\u2212/, '-');
  const [all, sign = '', whole = '', fraction = '', exponentSign = '', exponent = '0'] = NUMBER.exec(text) ?? [];
  if (all === undefined || MAY_BE_GROUPED.test(text) || text.length > READ_UNITS_MAX || whole + fraction === '') return null;
  const digits = (whole + fraction).replace(/^0+/, '');
  if (digits === '') return '0';
  const coefficient = digits.replace(/0+$/, '');
  const power = Number(`${exponentSign}${exponent}`) - fraction.length + digits.length - coefficient.length;
  return `${sign === '-' ? '-' : ''}${written(coefficient, power)}`;
};

/** `coefficient` times ten to the `power`; it has no zero at either end. */
const written = (coefficient: string, power: number): string => {
  const point = coefficient.length + power;
  if (power > ZEROS_MAX || point < -ZEROS_MAX) return `${coefficient}e${power}`;
  if (power >= 0) return coefficient + '0'.repeat(power);
  return point > 0 ? `${coefficient.slice(0, point)}.${coefficient.slice(point)}` : `0.${'0'.repeat(-point)}${coefficient}`;
};

/** Fractions, percentages, other bases, and digits that are worth more than their place says. */
const OTHER_WRITING = /[\p{Nl}\p{No}/%]|0x/iu;

/** Text that is read as no number is the wanted one at most where it holds its digits, as with grouping marks or a unit. */
export const mayBeNumber = (wanted: string, found: string): boolean => {
  if (OTHER_WRITING.test(found)) return true;
  const [coefficient = ''] = wanted.split('e');
  const digits = digitsOnly(found);
  return digits !== '' && digits.includes(digitsOnly(coefficient).replace(/^0+|0+$/g, ''));
};
