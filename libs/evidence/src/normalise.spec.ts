import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { exhaustive } from '../test/exhaustive.js';
import { aRegister } from '../test/builders.js';
import { keyParts, keyPolicy } from './key-parts.js';
import { asciiBehaviour, isReadable, mayBeEqual, normalForm } from './normalise.js';
import { normaliserName, normaliserText, normaliserVersions } from './normaliser-text.js';
import type { Normaliser } from './register.js';

/** Properties are slow on a busy machine; their bound is the number of runs. */
vi.setConfig({ testTimeout: 120_000 });

const names = Object.keys(asciiBehaviour) as (keyof typeof asciiBehaviour)[];
const every: readonly Normaliser[] = [
  ...names,
  'strip-leading-zeros',
  'number',
  'email',
  'email-base',
  { phone: { countryCode: '49' } },
  { phone: { countryCode: '1' } },
  { date: { zone: 'America/New_York' } },
];
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
  it('the list of this test holds every one', () => {
    expect(new Set(every.map(normaliserName))).toEqual(new Set(Object.keys(normaliserVersions)));
  });

  it.each(every)('%j is idempotent: a stored normal form must not change when it is read again', (each) => {
    const likely = fc.string({ unit: fc.constantFrom(...'0123456789+-()@. :TZeGmailcoΣßé\u0301ﬁİ\u200b１') });
    fc.assert(
      fc.property(fc.oneof(text, likely), (value) => normalForm([each], normalForm([each], value)) === normalForm([each], value)),
      { numRuns: 1_000 },
    );
  });

  it.each(names)('%s does to all 128 ASCII characters what asciiBehaviour states, alone, inside and at both ends', (name) => {
    for (const each of ascii) {
      for (const value of [each, `a${each}b`, `${each}a${each}`, `${each}${each}a b`]) {
        expect([value, normalForm([name], value)]).toEqual([value, asStated(name, value)]);
      }
    }
    fc.assert(fc.property(fc.string({ unit: 'binary-ascii' }), (value) => normalForm([name], value) === asStated(name, value)));
  });

  exhaustive('case-fold folds every character to what its upper and lower case fold to', () => {
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

describe('a value that cannot be read', () => {
  const phone: Normaliser = { phone: { countryCode: '49' } };

  it('keeps its text, and says so', () => {
    expect(normalForm(['trim', 'number'], ' 1,000 ')).toBe('1,000');
    expect([isReadable(['trim', 'number'], ' 1,000 '), isReadable(['trim', 'number'], ' 1000 '), isReadable(['trim'], '')]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('is so where any normaliser of the list cannot read what the one before it made', () => {
    expect(isReadable(['digits-only', 'number'], 'no digit')).toBe(false);
    expect(isReadable(['number', 'strip-separators'], '1.5')).toBe(true);
  });

  it.each<[Normaliser, string, string, boolean]>([
    ['number', '1000', '1,000', true],
    ['number', '1000', '2,000', false],
    ['email', 'Ann@example.org', 'Ann <ann@example.org>', true],
    ['email', 'Ann@example.org', 'Bob <bob@example.org>', false],
    [phone, '030 123456', '4930123456', true],
    [phone, '030 123456', '4930123457', false],
    [{ date: { zone: 'UTC' } }, '2026-01-31', '31.01.2026', true],
    [{ date: { zone: 'UTC' } }, '2026-01-31', '0000-00-00', false],
  ])('of %j: whether %j may be %j: %j', (normaliser, wanted, found, may) => {
    expect(mayBeEqual(['trim', normaliser], wanted, ` ${found} `)).toBe(may);
    expect(mayBeEqual([normaliser, 'strip-separators'], wanted, found)).toBe(may);
  });

  // Fails if a question whose own value cannot be read, or a normaliser of a later version, lets a record pass as another one.
  it('may be anything where the wanted one cannot be read either, or nothing is known of the normaliser', () => {
    expect(mayBeEqual(['number'], 'seven', '1,000')).toBe(true);
    const later = ['soundex' as Normaliser];
    expect([isReadable(later, 'a'), mayBeEqual(later, 'a', 'b')]).toEqual([false, true]);
    const object = [{ iban: {} } as unknown as Normaliser];
    expect([isReadable(object, 'a'), mayBeEqual(object, 'a', 'b')]).toEqual([false, true]);
  });
});

describe('the text of a normaliser', () => {
  it('names it with its parameters', () => {
    expect([normaliserText('trim'), normaliserText({ phone: { countryCode: '49' } }), normaliserText({ date: { zone: 'UTC' } })]).toEqual([
      'trim',
      'phone countryCode=49',
      'date zone=UTC',
    ]);
  });
});

describe('keyPolicy', () => {
  const policyOf = (...normalise: readonly Normaliser[]) =>
    JSON.stringify(
      keyPolicy(aRegister({ identifiers: { reference: { kind: 'key', normalise }, note: { kind: 'hint', normalise: ['trim'] } } })),
    );

  it('names each key’s normalisers with parameters and versions, and nothing that is no key', () => {
    expect(policyOf('trim', { phone: { countryCode: '49' } })).toBe('["",["reference","trim v2","phone countryCode=49 v1"]]');
  });

  // Fails if a register binds keys that were digested by other rules: one record would have two slots.
  it('is another one for another order, parameter or version', () => {
    const policies = [
      policyOf('trim', 'number'),
      policyOf('number', 'trim'),
      policyOf({ phone: { countryCode: '49' } }),
      policyOf({ phone: { countryCode: '44' } }),
      policyOf({ date: { zone: 'UTC' } }),
      policyOf({ date: { zone: 'Asia/Tokyo' } }),
    ];
    expect(new Set(policies).size).toBe(policies.length);
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
