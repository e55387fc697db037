import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isCountryCode, mayBePhone, phoneForm } from './phone.js';

describe('telephone numbers', () => {
  it.each([
    ['49', '030 123456', '+4930123456'],
    ['49', '(030) 12 34-56', '+4930123456'],
    ['49', '030/123456', '+4930123456'],
    ['49', '+49 30 123456', '+4930123456'],
    ['49', '0049 30 123456', '+4930123456'],
    ['49', '+49 (0)30 123456', '+4930123456'],
    ['49', '+49 030 123456', '+4930123456'],
    ['49', '＋４９ ３０ １２３４５６', '+4930123456'],
    ['49', '+44 20 7946 0958', '+442079460958'],
    ['49', '+44 (0)20 7946 0958', '+442079460958'],
    ['49', '+44 020 7946 0958', '+442079460958'],
    ['44', '020 7946 0958', '+442079460958'],
    ['49', '+1 (212) 555-1212', '+12125551212'],
    ['49', '+1 1 212 555 1212', '+12125551212'],
    ['1', '(212) 555-1212', '+12125551212'],
    ['1', '1-212-555-1212', '+12125551212'],
    ['1', '011 49 30 123456', '+4930123456'],
    ['7', '8 (495) 123-45-67', '+74951234567'],
    ['7', '7 495 123 45 67', '+74951234567'],
    ['36', '06 1 234 5678', '+3612345678'],
    ['39', '06 1234 5678', '+390612345678'],
    ['49', '+39 06 1234 5678', '+390612345678'],
    ['49', '+225 07 12 34 56 78', '+2250712345678'],
    ['34', '912 345 678', '+34912345678'],
    ['36', '+36 06 1 234 5678', '+3612345678'],
    ['52', '+52 1 55 1234 5678', '+525512345678'],
    ['52', '01 55 1234 5678', '+525512345678'],
    ['54', '+54 9 11 1234-5678', '+541112345678'],
    ['54', '011 1234-5678', '+541112345678'],
    ['55', '(11) 91234-5678', '+5511912345678'],
    ['55', '011 1234-5678', '+551112345678'],
    ['55', '55 11 91234-5678', '+5511912345678'],
    ['55', '(55) 91234-5678', '+5555912345678'],
    ['86', '138 0013 8000', '+8613800138000'],
    ['86', '010 1234 5678', '+861012345678'],
    ['91', '98765 43210', '+919876543210'],
    ['91', '098765 43210', '+919876543210'],
    ['91', '91 98765 43210', '+919876543210'],
    ['370', '8 612 34567', '+37061234567'],
    ['49', '+370 8 612 34567', '+37061234567'],
    ['375', '8 029 123 45 67', '+375291234567'],
  ])('with country code %s, %j is %s', (code, value, form) => expect(phoneForm(code, value)).toBe(form));

  // Each fails if one of several readings is picked: the record under the other one would be called absent.
  it.each([
    ['49', 'a plus that is missing, or a zero', '4930123456'],
    ['49', 'no area code', '123456'],
    ['34', 'a country code or a number', '349123456'],
    ['7', 'a number of an area, or of another country', '810 800 70 00'],
    ['39', 'a zero too many', '+39 (0) 06 1234 5678'],
    ['54', 'a mobile number as it is dialled from within', '011 15-1234-5678'],
    ['57', 'an old number, which got more digits', '+57 1 234 5678'],
    ['49', 'an extension', '030 123456 ext. 5'],
    ['49', 'letters', '0800 FLOWERS'],
    ['1', 'a digit too many', '(212) 555-1212-5'],
    ['49', 'a digit too many abroad', '+1 212 555 1212 5'],
    ['49', 'two numbers', '030 123456, 030 654321'],
    ['49', 'too few digits', '+49 30'],
    ['49', 'more digits than there can be', '+49 30 1234567890123'],
    ['49', 'no country', '+0 30 123456'],
    ['49', 'nothing', ''],
  ])('with country code %s, %s is not read: %j', (code, _why, value) => expect(phoneForm(code, value)).toBeNull());

  it('have a country code that is one', () => {
    expect(['1', '7', '49', '358'].map(isCountryCode)).toEqual([true, true, true, true]);
    expect(['', '0', '4', '491', '12', '+49', '1234'].map(isCountryCode)).toEqual(Array(7).fill(false));
  });

  // Fails if a number has one form at home and another one from abroad, or is read again as another.
  it('have the same form with any country code, once they are written with their own', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 7, maxLength: 15 });
    const code = fc.constantFrom('1', '7', '34', '36', '39', '44', '49', '52', '54', '55', '86', '91', '225', '358', '370', '375');
    fc.assert(
      fc.property(digits, code, code, fc.constantFrom('', '+'), (number, one, other, plus) => {
        const form = phoneForm(one, plus + number);
        if (form === null) return;
        expect(form).toMatch(/^\+[1-9][0-9]{6,14}$/);
        expect([phoneForm(one, form), phoneForm(other, form)]).toEqual([form, form]);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('text that is no telephone number', () => {
  it.each([
    ['+4930123456', '4930123456'],
    ['+4930123456', '123456'],
    ['+4930123456', '030 123456 ext. 5'],
    ['+4930123456', 'Tel. ０３０ １２３４５６'],
    ['+4930123456', '030 654321 / 030 123456'],
    ['+4930123456', '***3456'],
    ['+18003569377', '1-800-FLOWERS'],
  ])('may be %s: %j', (wanted, found) => expect(mayBePhone(wanted, found)).toBe(true));

  it.each([
    ['+4930123456', '4930123457'],
    ['+4930123456', 'unknown'],
    ['+4930123456', '12345'],
    ['+4930123456', ''],
  ])('is in no reading %s: %j', (wanted, found) => expect(mayBePhone(wanted, found)).toBe(false));
});
