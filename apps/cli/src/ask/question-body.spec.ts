import { describe, expect, it } from 'vitest';
import { CliError } from '../cli-error.js';
import { IDENTIFIERS_MAX, parseIdentifiers, parsePayload, questionBody } from './question-body.js';

describe('identifiers on the command line', () => {
  it.each([
    ['account=ACC-1', { name: 'account', value: 'ACC-1' }],
    ['reference=a=b=', { name: 'reference', value: 'a=b=' }],
    ['note= spaces stay ', { name: 'note', value: ' spaces stay ' }],
  ])(
    '%s is a name and all that follows the first =; fails when a value is cut or trimmed before the register normalises it',
    (text, expected) => {
      expect(parseIdentifiers([text])).toEqual([expected]);
    },
  );

  it.each([
    ['without =', ['account']],
    ['without a name', ['=x']],
    ['without a value', ['account=']],
    ['given twice', ['a=1', 'a=2']],
    ['more than a question holds', Array.from({ length: IDENTIFIERS_MAX + 1 }, (_, index) => `n${index}=1`)],
  ])('are wrong usage when %s; fails when a question is asked that was not meant', (_, texts) => {
    expect(exitCodeOf(() => parseIdentifiers(texts))).toBe(2);
  });
});

describe('--create', () => {
  it('takes a JSON object', () => {
    expect(parsePayload('{"a":{"b":1}}')).toEqual({ a: { b: 1 } });
  });

  it.each(['{', '[]', 'null', '"text"', '1', ''])('refuses %s as wrong usage', (text) => {
    expect(exitCodeOf(() => parsePayload(text))).toBe(2);
  });
});

describe('the body of a question', () => {
  it('names no intent when nothing is to be created, and no provenance that nobody stated', () => {
    const body = questionBody({ register: 'r', identifiers: [{ name: 'a', value: '1' }], payload: null });
    expect(JSON.parse(body)).toEqual({ register: 'r', identifiers: [{ name: 'a', value: '1' }] });
  });

  it('carries the kind of question that was asked for', () => {
    const body = questionBody({ register: 'r', kind: 'gone', identifiers: [{ name: 'a', value: '1' }], payload: null });
    expect(JSON.parse(body)).toMatchObject({ kind: 'gone' });
  });

  it('carries payload and provenance', () => {
    const body = questionBody({ register: 'r', identifiers: [{ name: 'a', value: '1' }], provenance: 'model', payload: { x: 1 } });
    expect(JSON.parse(body)).toEqual({
      register: 'r',
      identifiers: [{ name: 'a', value: '1', provenance: 'model' }],
      intent: { kind: 'create', payload: { x: 1 } },
    });
  });
});

function exitCodeOf(work: () => unknown): number {
  try {
    work();
  } catch (error) {
    if (error instanceof CliError) return error.exitCode;
    throw error;
  }
  return 0;
}
