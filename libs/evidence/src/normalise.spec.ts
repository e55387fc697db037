import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { aRegister } from '../test/builders.js';
import { keyParts } from './key-parts.js';
import { asciiBehaviour, normalForm } from './normalise.js';

/** Properties are slow on a busy machine; their bound is the number of runs. */
vi.setConfig({ testTimeout: 120_000 });

const names = Object.keys(asciiBehaviour) as (keyof typeof asciiBehaviour)[];
const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
const text = fc.string({ unit: 'binary' });

/** The stated behaviour, done the way that SQL does it: btrim and translate. */
const asStated = (name: keyof typeof asciiBehaviour, value: string): string => {
  const { removedAtEnds, removedEverywhere, mappedFrom, mappedTo } = asciiBehaviour[name];
  const characters = [...value].filter((each) => !removedEverywhere.includes(each));
  while (characters.length > 0 && removedAtEnds.includes(characters[0] as string)) characters.shift();
  while (characters.length > 0 && removedAtEnds.includes(characters.at(-1) as string)) characters.pop();
  return characters.map((each) => (mappedFrom.includes(each) ? mappedTo[mappedFrom.indexOf(each)] : each)).join('');
};

describe('normalisers', () => {
  it.each(names)('%s is idempotent: a stored normal form must not change when it is read again', (name) => {
    fc.assert(fc.property(text, (value) => normalForm([name], normalForm([name], value)) === normalForm([name], value)));
  });

  it.each(names)('%s does to all 128 ASCII characters what asciiBehaviour states, alone, inside and at both ends', (name) => {
    for (const each of ascii) {
      for (const value of [each, `a${each}b`, `${each}a${each}`, `${each}${each}a b`]) {
        expect([value, normalForm([name], value)]).toEqual([value, asStated(name, value)]);
      }
    }
    fc.assert(fc.property(fc.string({ unit: 'binary-ascii' }), (value) => normalForm([name], value) === asStated(name, value)));
  });

  it('case-fold folds every character to what its upper and lower case fold to', () => {
    const fold = (value: string): string => normalForm(['case-fold'], value);
    for (let code = 0; code < 0x11000; code += 1) {
      const each = String.fromCodePoint(code);
      expect(fold(fold(each))).toBe(fold(each));
      if (!['İ', 'ẞ'].includes(each)) expect(fold(each.toUpperCase())).toBe(fold(each));
    }
  });

  it.each([
    ['STRASSE', 'straße'],
    ['STRAẞE', 'straße'],
    ['ΟΔΥΣΣΕΥΣ', 'οδυσσευς'],
    ['ΜΑΣ1', 'μας1'],
    ['ﬁle', 'FILE'],
  ])('case-fold makes %s and %s equal', (one, other) => {
    expect(normalForm(['case-fold'], one)).toBe(normalForm(['case-fold'], other));
  });

  it('nfkc makes full-width and composed forms equal', () => {
    expect(normalForm(['nfkc'], 'ＩＮＶ１')).toBe('INV1');
    expect(normalForm(['nfkc'], 'e\u0301')).toBe('\u00e9');
  });

  it('trim takes zero-width characters at the ends and leaves the inside', () => {
    expect(normalForm(['trim'], '\uFEFF\u00A0a b\u200B\u3000')).toBe('a b');
  });

  it('strip-separators takes Unicode dashes, dots, slashes, underscores and all that trim takes', () => {
    expect(normalForm(['strip-separators'], 'A\u2010B\u2013C\u2212D\u00ADE.F/G_H\u200BI \tJ')).toBe('ABCDEFGHIJ');
    expect(normalForm(['strip-separators'], 'A\\B:C,D')).toBe('A\\B:C,D');
  });

  it('takes linear time on a long run of spaces inside a value', () => {
    const value = `a${' '.repeat(200_000)}b`;
    expect(normalForm(['trim'], value)).toBe(value);
  });

  it('applies the names in their order', () => {
    expect(normalForm(['trim', 'case-fold', 'strip-separators'], '  INV-2026/01 ')).toBe('inv202601');
    expect(normalForm([], ' A ')).toBe(' A ');
  });
});

describe('keyParts', () => {
  it('gives the normal forms of the keys alone, by name, and nothing for one that was not asked', () => {
    const register = aRegister({
      identifiers: {
        reference: { kind: 'key', normalise: ['trim', 'case-fold'] },
        account: { kind: 'key', normalise: [] },
        note: { kind: 'hint', normalise: [] },
      },
    });
    expect(keyParts(register, [{ name: 'reference', value: ' R-1 ' }])).toEqual(['', 'r-1']);
    expect(
      keyParts(register, [
        { name: 'note', value: 'x' },
        { name: 'reference', value: 'R-1' },
        { name: 'account', value: 'A' },
      ]),
    ).toEqual(['A', 'r-1']);
  });
});
