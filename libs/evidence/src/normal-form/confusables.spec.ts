import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exhaustive } from '../../test/exhaustive.js';
import { skeleton } from './confusables.js';

describe('look-alikes', () => {
  // Fails if a code that was read aloud, scanned or typed on another keyboard is no candidate for the one that is meant.
  it.each([
    ['I1l|', 'llll'],
    ['O0o', 'ooo'],
    ['РОСА', 'poca'],
    ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'abezhikmnoptyx'],
    ['INV–1', 'INV-l'],
    ['ＩＮＶ', 'inv'],
    ['IN\u200bV', 'inv'],
    ['ӏ', '1'],
  ])('%j and %j have one skeleton', (one, other) => expect(skeleton(one)).toBe(skeleton(other)));

  it.each([
    ['A', 'B'],
    ['5', 'S'],
    ['8', 'B'],
    ['é', 'e'],
    ['Ж', 'X'],
  ])('%j and %j are told apart', (one, other) => expect(skeleton(one)).not.toBe(skeleton(other)));

  it('the skeleton is its own', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => skeleton(skeleton(value)) === skeleton(value)),
      { numRuns: 1_000 },
    );
  });

  exhaustive('of every single character is its own', () => {
    for (let code = 0; code < 0x110000; code += 1) {
      const character = String.fromCodePoint(code);
      if (/\p{Unassigned}|\p{Private_Use}|\p{Surrogate}|\p{Script=Han}|\p{Script=Hangul}/u.test(character)) continue;
      const once = skeleton(character);
      if (skeleton(once) !== once) expect([code.toString(16), skeleton(once)]).toEqual([code.toString(16), once]);
    }
  });
});
