import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { trim, withoutInvisible } from './invisible.js';

const piece = fc.constantFrom('a', ' ', '\t', '\u00a0', '\u200b', '\ufeff', '\u00ad', '\u{e0041}', '😀', '\ud800');

describe('what cannot be seen', () => {
  // Fails if a value copied from a web page or a chat, with a joiner or a mark of direction in it, is another one than the typed one.
  it.each([
    ['a zero-width space', 'IN\u200bV'],
    ['a soft hyphen', 'IN\u00adV'],
    ['a mark of direction', 'INV\u200e'],
    ['a byte order mark', '\ufeffINV'],
    ['a variation selector', 'INV\ufe0f'],
    ['a tag character', 'IN\u{e0041}V'],
    ['a filler', 'IN\u3164V'],
  ])('is taken out: %s', (_name, value) => expect(withoutInvisible(value)).toBe('INV'));
});

describe('trim', () => {
  it('takes white space and what cannot be seen at both ends, and leaves the inside', () => {
    expect(trim('\ufeff\u00a0\u{e0041} a\u200b b\t\u{e0041}\u3000')).toBe('a\u200b b');
    expect([trim(''), trim(' \u200b ')]).toEqual(['', '']);
  });

  // Fails if half of a pair is cut off, or a blank is left.
  it('does what taking one blank after the other does', () => {
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const blank = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}]$/u;
        const left = [...pieces.join('')];
        while (left.length > 0 && blank.test(left[0] ?? '')) left.shift();
        while (left.length > 0 && blank.test(left.at(-1) ?? '')) left.pop();
        return trim(pieces.join('')) === left.join('');
      }),
    );
  });
});
