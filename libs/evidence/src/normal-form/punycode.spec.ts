import fc from 'fast-check';
import { domainToASCII } from 'node:url';
import { describe, expect, it } from 'vitest';
import { asciiLabel } from './punycode.js';

describe('the ASCII form of a label', () => {
  it.each([
    ['example', 'example'],
    ['', ''],
    ['münchen', 'xn--mnchen-3ya'],
    ['例え', 'xn--r8jz45g'],
    ['bücher-straße', 'xn--bcher-strae-46a18a'],
    ['💩', 'xn--ls8h'],
  ])('of %j is %j', (label, ascii) => expect(asciiLabel(label)).toBe(ascii));

  // Fails if the encoding differs from the runtime's in any place, order or repetition of characters.
  it('is what the runtime makes of it', () => {
    const letter = fc.constantFrom(...'abz09-äöüßждш中文字例', '𠮷');
    fc.assert(
      fc.property(fc.array(letter, { minLength: 1, maxLength: 20 }), (letters) => {
        const label = letters.join('');
        const known = domainToASCII(`${label}.example`);
        return known === '' || `${asciiLabel(label)}.example` === known;
      }),
      { numRuns: 2_000 },
    );
  });

  it('is itself above the length of a label, which takes the square of the time', () => {
    const long = 'ä'.repeat(64);
    expect(asciiLabel(long)).toBe(long);
  });
});
