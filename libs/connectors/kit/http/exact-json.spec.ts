import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExactJson, textOf, valueAt, type Json } from './exact-json.js';

describe('exact JSON', () => {
  // Fails if a digit of a number is lost, or a number inside a string is touched.
  it.each([
    ['9007199254740993', '9007199254740993'],
    ['[1.10, -0, 1e3, 12345678901234567890]', [1.1, 0, 1000, '12345678901234567890']],
    ['{"a":"x 9007199254740993 \\" 1e5","b":7}', { a: 'x 9007199254740993 " 1e5', b: 7 }],
    ['"\\\\",', null],
  ])('reads %s without loss', (text, expected) => {
    if (expected === null) expect(() => parseExactJson(text)).toThrow(SyntaxError);
    else expect(parseExactJson(text)).toEqual(expected);
  });

  // Fails if one number has two spellings: an identifier 1.0 or 1E3 would not be found as 1 or 1000.
  it.each([
    ['1.0', '1'],
    ['1E3', '1000'],
    ['-0', '0'],
    ['-0.0e5', '0'],
    ['7.1e2', '710'],
    ['1e-7', '0.0000001'],
    ['-12.50', '-12.5'],
    ['12345678901234567890.0', '12345678901234567890'],
    ['0e999', '0'],
  ])('reads the number %s as %s', (text, expected) => expect(textOf(parseExactJson(text))).toEqual({ text: expected }));

  it('has no single value for a number too long to write out', () => {
    expect([textOf(parseExactJson('1e400')), textOf(parseExactJson('1e-400'))]).toEqual(['unreadable', 'unreadable']);
  });

  // Fails if the second of two lists hides the first, or a name in a string or another object counts as a second.
  it('refuses two members of one name', () => {
    for (const text of ['{"items":[1],"items":[]}', '[{"a":1,"\\u0061":2}]']) expect(() => parseExactJson(text)).toThrow('two members');
    expect(parseExactJson('{"a":{"a":"a"},"b":["a","a",{"a":1}]}')).toEqual({ a: { a: 'a' }, b: ['a', 'a', { a: 1 }] });
  });

  // Fails if the scan of a long string runs out of stack.
  it('reads a long string beside a long number', () => {
    expect(parseExactJson(`["${'a'.repeat(12_000_000)}",1234567890123456789]`)).toHaveProperty('1', '1234567890123456789');
  });

  it('reads whatever JSON.stringify writes as it was', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value, (_name, each: unknown) => (typeof each === 'number' ? Math.trunc(each % 1e15) : each));
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
