import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mayBeNumber, numberForm } from './number.js';

describe('numbers', () => {
  it.each([
    ['007', '7'],
    ['+7', '7'],
    ['7.0', '7'],
    ['1.0000', '1'],
    ['0.500', '0.5'],
    ['1000.000', '1000'],
    ['1.000e0', '1'],
    ['7.', '7'],
    ['.50', '0.5'],
    ['-0', '0'],
    ['-0.0e9', '0'],
    ['−12.50', '-12.5'],
    ['1.2e3', '1200'],
    ['12E-1', '1.2'],
    [' １２ ', '12'],
    ['٣', '3'],
    ['9007199254740993', '9007199254740993'],
    ['0.1000000000000000055511151231257827', '0.1000000000000000055511151231257827'],
    ['1e40', `1${'0'.repeat(40)}`],
    ['10e40', '1e41'],
    ['1e-41', '0.00000000000000000000000000000000000000001'],
    ['1e-42', '1e-42'],
  ])('%j is read as %s', (value, form) => expect(numberForm(value)).toBe(form));

  // Fails if a guess is made of a value that two readers take for two numbers, and the record of one of them is called absent.
  it.each([
    '1,000',
    '1.000',
    '-12.500',
    '1.000,5',
    '1 000',
    '10²',
    '½',
    '0x10',
    '1e',
    'e5',
    '.',
    '',
    '-',
    '12 pcs',
    '1e9999999',
    'NaN',
    'Infinity',
    '1_000',
  ])('%j is not read', (value) => expect(numberForm(value)).toBeNull());

  it('are read to a bounded length', () => {
    expect(numberForm('1'.repeat(512))).toBe('1'.repeat(512));
    expect(numberForm('1'.repeat(513))).toBeNull();
  });

  // Fails if two numbers that floating point tells apart have one form, or one number has two.
  it('have one form each, which is read again as itself', () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(number, number, (one, other) => {
        fc.pre(![one, other].some((each) => /^-?[1-9][0-9]{0,2}\.[0-9]{3}$/.test(String(each))));
        const form = numberForm(String(one));
        expect(Number(form)).toBe(one === 0 ? 0 : one);
        expect(numberForm(form ?? '')).toBe(form);
        expect(numberForm(one.toExponential())).toBe(form);
        expect(form === numberForm(String(other))).toBe(one === other);
      }),
    );
  });
});

describe('text that is no number', () => {
  it.each([
    ['1000', '1,000'],
    ['1000', '1.000,00'],
    ['12.5', 'EUR 12,50'],
    ['100', '10²'],
    ['0.5', '1/2'],
    ['31', '0x1F'],
    ['0', '0,0'],
  ])('may be %s: %j', (wanted, found) => expect(mayBeNumber(wanted, found)).toBe(true));

  it.each([
    ['7', '1,000'],
    ['1000', 'unknown'],
    ['0', 'n.a.'],
  ])('is in no reading %s: %j', (wanted, found) => expect(mayBeNumber(wanted, found)).toBe(false));
});
