import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { refusalOf } from '../test/refusal.js';
import { canonicalJson, parseCanonicalJson, sha256Hex } from './canonical-json.js';

const text = (value: unknown): string => canonicalJson(value).toString('utf8');

describe('canonical JSON', () => {
  // Fails if numbers, escapes or literals are written otherwise than in the RFC's own sample (without its 1E30, which is refused here).
  it('writes the sample of RFC 8785, section 3.2.2, as section 3.2.3 does', () => {
    const sample = {
      numbers: [333333333.33333329, 4.5, 2e-3, 0.000000000000000000000000001],
      string: '\u20ac$\u000f\u000aA\'\u0042\u0022\u005c\\"/',
      literals: [null, true, false],
    };
    expect(text(sample)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  // Fails if members are sorted by code points or by locale: U+1F600 is written with surrogates and sorts before U+FB33.
  it('sorts members by UTF-16 code units, RFC 8785, section 3.2.3', () => {
    const names = ['\u20ac', '\r', '\ufb33', '1', '\u{1f600}', '\u0080', '\u00f6'];
    const sorted = ['\r', '1', '\u0080', '\u00f6', '\u20ac', '\u{1f600}', '\ufb33'];
    const written = JSON.parse(text(Object.fromEntries(names.map((name) => [`n${name}`, 0])))) as object;
    expect(Object.keys(written)).toEqual(sorted.map((name) => `n${name}`));
  });

  // Fails if the order in which members were set reaches the bytes: a replay would then have another hash.
  it('gives the same bytes whatever the order of members', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.integer()), (members) => {
        expect(text(Object.fromEntries(Object.entries(members).reverse()))).toBe(text(members));
      }),
    );
  });

  // Fails if a value that JSON would silently change, drop or round is hashed instead of refused.
  it.each([
    ['undefined', undefined, 'value-undefined'],
    ['an undefined member', { total: undefined }, 'value-undefined'],
    ['an undefined element', [undefined], 'value-undefined'],
    ['a hole in an array', Array(1), 'value-undefined'],
    ['NaN', { deep: [NaN] }, 'number-not-finite'],
    ['Infinity', Infinity, 'number-not-finite'],
    ['2^53', 2 ** 53, 'integer-not-safe'],
    ['-2^53', -(2 ** 53), 'integer-not-safe'],
    ['a bigint', 1n, 'integer-not-safe'],
    ['a lone surrogate', 'a\ud800b', 'text-not-unicode'],
    ['a lone surrogate in a name', { '\udc00': 1 }, 'text-not-unicode'],
    ['a date', new Date(0), 'value-not-json'],
    ['a map', new Map(), 'value-not-json'],
    ['bytes', Buffer.of(1), 'value-not-json'],
    ['a function', () => 1, 'value-not-json'],
    ['a symbol', Symbol('s'), 'value-not-json'],
  ])('refuses %s', (_name, value, code) => expect(refusalOf(() => canonicalJson(value))).toBe(code));

  // Fails if the bound is off by one, so that a count which JSON carries exactly is refused.
  it('takes integers up to 2^53 - 1', () => {
    expect(text([2 ** 53 - 1, -(2 ** 53 - 1), -0])).toBe('[9007199254740991,-9007199254740991,0]');
  });

  // Fails if recursion is unbounded: a cycle or a crafted nesting would end the process.
  it('refuses a cycle and a nesting of more than 64 levels', () => {
    const cycle: unknown[] = [];
    cycle.push(cycle);
    const nested = (levels: number): unknown => (levels === 0 ? 0 : [nested(levels - 1)]);
    expect(refusalOf(() => canonicalJson(cycle))).toBe('value-too-deep');
    expect(refusalOf(() => canonicalJson(nested(65)))).toBe('value-too-deep');
    expect(refusalOf(() => canonicalJson(nested(64)))).toBeNull();
  });

  // Fails if an error repeats a value: personal fields would reach a log.
  it('names the place and not the value', () => {
    expect(() => canonicalJson({ a: [{ name: 'Ada\ud800' }] })).toThrow(/\$\.a\[0\]\.name/);
    expect(() => canonicalJson({ a: [{ name: 'Ada\ud800' }] })).not.toThrow(/Ada/);
  });
});

describe('parsing canonical JSON', () => {
  // Fails if bytes that another reader may understand otherwise (duplicate names, spaces, rounded numbers, a BOM, bad UTF-8) are accepted.
  it.each([
    ['{"a":1,"a":2}', 'not-canonical'],
    ['{"b":1,"a":2}', 'not-canonical'],
    ['{"a": 1}', 'not-canonical'],
    ['[9007199254740993]', 'not-canonical'],
    ['[1e400]', 'not-canonical'],
    ['[1.0]', 'not-canonical'],
    ['"\\u0041"', 'not-canonical'],
    ['"\\ud800"', 'not-canonical'],
    ['['.repeat(100_000) + ']'.repeat(100_000), 'not-canonical'],
    ['\ufeff1', 'not-json'],
    ['{"a":', 'not-json'],
  ])('refuses %.20s', (json, why) => expect(parseCanonicalJson(Buffer.from(json))).toEqual({ ok: false, why }));

  it('refuses bytes that are not UTF-8', () => {
    expect(parseCanonicalJson(Buffer.from([0x22, 0xff, 0x22]))).toEqual({ ok: false, why: 'not-canonical' });
  });

  // Fails if the reader refuses what the writer wrote.
  it('reads back what was written', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        if (refusalOf(() => canonicalJson(value)) !== null) return;
        const bytes = canonicalJson(value);
        const parsed = parseCanonicalJson(bytes);
        expect(parsed.ok && canonicalJson(parsed.value).equals(bytes)).toBe(true);
      }),
    );
  });
});

// Fails if the digest is another one or another spelling than every other tool's.
it('hashes "abc" as FIPS 180-4 does', () => {
  expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
