import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatProblem } from './format-bound.js';

describe('the bound on formats', () => {
  it.each([
    'ACC-[0-9]{6}',
    '[A-Z]{2,4}-\\d+',
    '(?:ACC|INV)-[0-9]{1,12}',
    '(?:[A-Z]{2}){3}',
    '\\p{L}+( \\p{L}+)?',
    '[^)(]+',
    '[\\]+*]{3}',
    'a?b?c?',
    '',
  ])('accepts %s', (format) => {
    expect(formatProblem(format)).toBeNull();
  });

  // Fails if one of these is run against a value of a question: each takes seconds or years on 512 characters.
  it.each([
    '(a+)+',
    '(a*)*b',
    '(a|a)+',
    '(a|ab)*c',
    '([a-z]+)*x',
    '(?:a{1,9}){9}',
    '(?<n>a+)+',
    'a*a*a*a*b',
    '.*.*.*=.*',
    '(a+)\\1',
    'x{0,500}y{0,500}z{0,500}',
    'a'.repeat(201),
  ])('refuses %s', (format) => {
    expect(formatProblem(format)).not.toBeNull();
  });

  it.each(['[', '(', 'a{2', '\\q', 'a)', ')(', 'a)|(b'])('refuses %s, which is no expression', (format) => {
    expect(formatProblem(format)).toBe('not a valid regular expression (JavaScript, u flag)');
  });

  // Fails if the scan of an expression and the engine disagree so far that an accepted one takes long.
  it('lets no expression through that is slow on its worst values', () => {
    const part = fc.constantFrom('a', '[ab]', '(?:ab)', '\\w', '.', '(a|b)', '(?:a|ab)');
    const sign = fc.constantFrom('', '?', '*', '+', '{2}', '{1,3}', '{0,}');
    const format = fc
      .array(fc.tuple(part, sign), { minLength: 1, maxLength: 6 })
      .map((parts) => parts.map(([inner, outer]) => inner + outer).join(''));
    fc.assert(
      fc.property(format, (expression) => {
        if (formatProblem(expression) !== null) return;
        const began = performance.now();
        new RegExp(`^(?:${expression})$`, 'u').test(`${'ab'.repeat(128)}${'a'.repeat(255)}!`);
        expect(performance.now() - began).toBeLessThan(1_000);
      }),
      { numRuns: 150 },
    );
  });
});
