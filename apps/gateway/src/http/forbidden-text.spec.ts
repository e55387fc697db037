import { describe, expect, it } from 'vitest';
import { forbiddenTextIn } from './forbidden-text.js';

describe('text that cannot be kept as it was sent', () => {
  it.each([
    ['a NUL in a value', { intent: { payload: { a: ['x', 'y\u0000'] } } }, '/intent/payload/a/1'],
    ['half a surrogate pair', { value: '\ud800' }, '/value'],
    ['a NUL in a member name', { a: { 'b\u0000': 1 } }, '/a'],
    ['a member named __proto__', JSON.parse('{"a": {"__proto__": 1}}'), '/a'],
    ['a member named constructor', { a: { constructor: { b: 1 } } }, '/a'],
    ['a number beyond all doubles', JSON.parse('{"n": 1e400}'), '/n'],
    ['an integer that a double cannot hold', { n: 2 ** 53 }, '/n'],
  ])('is found with its pointer: %s; fails when PostgreSQL or the hash would meet it first', (_, body, pointer) => {
    expect(forbiddenTextIn(body)?.pointer).toBe(pointer);
  });

  it('ends at a bounded depth; fails when a deep body can exhaust the stack', () => {
    const deep = JSON.parse('['.repeat(5_000) + ']'.repeat(5_000)) as unknown;
    expect(forbiddenTextIn(deep)?.detail).toContain('deeper than 32');
  });

  it('escapes the pointer as RFC 6901 says; fails when a name with a slash looks like two members', () => {
    expect(forbiddenTextIn({ 'a/b~c': '\u0000' })?.pointer).toBe('/a~1b~0c');
  });

  it('lets ordinary text pass: emoji, quotes, zero in a longer word', () => {
    expect(forbiddenTextIn({ a: '😀 "__proto__": \\u0000', b: [null, true, 1.5] })).toBeNull();
  });
});
