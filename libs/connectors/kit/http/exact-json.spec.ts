import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExactJson, textOf, valueAt, type Json } from './exact-json.js';

describe('exact JSON', () => {
  // Fails if a digit of a number is lost, or a number inside a string is touched.
  it.each([
    ['9007199254740993', '9007199254740993'],
    ['[1.10, -0, 1e3, 12345678901234567890]', ['1.10', '-0', '1e3', '12345678901234567890']],
    ['{"a":"x 9007199254740993 \\" 1e5","b":7}', { a: 'x 9007199254740993 " 1e5', b: 7 }],
    ['"\\\\",', null],
  ])('reads %s without loss', (text, expected) => {
    if (expected === null) expect(() => parseExactJson(text)).toThrow(SyntaxError);
    else expect(parseExactJson(text)).toEqual(expected);
  });

  it('reads whatever JSON.stringify writes as it was', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(parseExactJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  // Fails if a name of every object is read as a field of the record.
  it.each(['/constructor', '/__proto__', '/a/length', '/b/-1', '/b/01', '/b/length', '/b/9', '/a/b'])('has nothing at %s', (pointer) => {
    expect(valueAt({ a: 'text', b: [1] }, pointer)).toBeUndefined();
  });

  it('finds what RFC 6901 says', () => {
    const json: Json = { 'a/b': { 'm~n': [0, { '': 'x' }] } };
    expect(valueAt(json, '/a~1b/m~0n/1/')).toBe('x');
    expect(valueAt(json, '')).toBe(json);
    expect([textOf(undefined), textOf(null), textOf(false), textOf({})]).toEqual([
      { text: undefined },
      { text: null },
      { text: 'false' },
      'unreadable',
    ]);
  });
});
