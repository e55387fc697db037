import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digitsOnly, readingText, withAsciiDigits, withoutLeadingZeros } from './digits.js';

describe('digits', () => {
  // Fails if a digit of another script is dropped, or read as another one: the record would be found under no number.
  it('of every script are read by their value', () => {
    for (let code = 0; code < 0x110000; code += 1) {
      const digit = String.fromCodePoint(code);
      if (!/^\p{Nd}$/u.test(digit)) continue;
      const value = withAsciiDigits(digit);
      expect(value).toMatch(/^[0-9]$/);
      if (value !== '9') expect(withAsciiDigits(String.fromCodePoint(code + 1))).toBe(String(Number(value) + 1));
    }
    expect(withAsciiDigits('٣۴५７')).toBe('3457');
  });

  // Fails if a superscript counts as a digit: 10² is no 102.
  it.each([
    ['INV-2024/00123', '202400123'],
    ['٠١', '01'],
    ['10²', '10'],
    ['no digit', ''],
  ])('%j has the digits %j', (value, digits) => expect(digitsOnly(value)).toBe(digits));
});

describe('leading zeros', () => {
  it.each([
    ['000123', '123'],
    ['A-007.010', 'A-7.10'],
    ['100', '100'],
    ['000', '0'],
    ['A000', 'A0'],
    ['0', '0'],
    ['', ''],
  ])('%j is %j without them: each run of digits keeps one at least', (value, form) => expect(withoutLeadingZeros(value)).toBe(form));

  // Fails if the number that a spreadsheet made of an identifier is no longer the same one.
  it('are what a spreadsheet takes away', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat({ max: 9 }), (number, zeros) => withoutLeadingZeros('0'.repeat(zeros) + String(number)) === `${number}`),
    );
  });
});

describe('the text that is read', () => {
  it('has no blanks at its ends, nothing invisible, and ASCII for full-width forms and digits', () => {
    expect(readingText(' ＋４９\u200e ３０ \u00a0')).toBe('+49 30');
    expect(readingText('٢٠٢٦-٠١-٣١')).toBe('2026-01-31');
  });

  it('keeps a superscript, which is no digit of the number', () => expect(readingText('10²')).toBe('10²'));
});
