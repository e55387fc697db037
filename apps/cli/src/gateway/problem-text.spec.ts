import { describe, expect, it } from 'vitest';
import { problemText } from './problem-text.js';

describe('a refusal as one line', () => {
  it('says what is wrong and where', () => {
    const errors = [
      { pointer: '/identifiers/0/value', detail: 'account: has not the form ACC-[0-9]{6}' },
      { parameter: 'wait', detail: 'must be a whole number' },
    ];
    const body = JSON.stringify({ title: 'The request is not valid', detail: 'the same again', errors });
    expect(problemText(422, body)).toBe(
      'The request is not valid: /identifiers/0/value account: has not the form ACC-[0-9]{6}; wait must be a whole number (HTTP 422)',
    );
  });

  it('says what to do about a key that is not known', () => {
    expect(problemText(401, JSON.stringify({ title: 'An API key is needed' }))).toMatch(/\(HTTP 401\): set LACUNA_API_KEY/);
  });

  it('names at most ten places and counts the others', () => {
    const errors = Array.from({ length: 14 }, (_, index) => ({ pointer: `/${index}`, detail: 'x' }));
    expect(problemText(422, JSON.stringify({ title: 't', errors }))).toContain('/9 x; and 4 more');
  });

  it.each([
    ['a page of a proxy', '<html>\nBad Gateway\u001b[31m</html>'],
    ['nothing', ''],
    ['JSON that is no object', '[1]'],
    ['members of other kinds', '{"title":1,"errors":{"a":1}}'],
  ])('is one line for %s too; fails when a proxy breaks the message or the terminal', (_, body) => {
    const text = problemText(502, body);

    expect(text).not.toMatch(/[\u0000-\u001f]/);
    expect(text).toContain('(HTTP 502)');
  });
});
