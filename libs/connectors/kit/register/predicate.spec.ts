import type { IdentifierRule, Normaliser } from '@lacuna/evidence';
import { describe, expect, it } from 'vitest';
import { aCursorContract } from '../../test/a-contract.js';
import type { Connect } from './connect.js';
import { predicateOf } from './predicate.js';
import type { ValueComparison } from './source-contract.js';

const phone: Normaliser = { phone: { countryCode: '49' } };
const connect = {
  type: 'http',
  ...aCursorContract,
  request: { method: 'GET', path: '/things', query: { q: { identifier: 'reference' } }, headers: {}, body: null },
} as unknown as Connect;

const predicate = (rule: Partial<IdentifierRule>, comparison: Partial<ValueComparison> | null) =>
  predicateOf(
    {
      method: 'exact-lookup',
      connect,
      contract: { comparison: comparison === null ? {} : { reference: { by: 'equality', normalise: [], ...comparison } } },
    },
    { reference: { kind: 'key', normalise: [], ...rule } },
  );

describe('how a filter compares with the register', () => {
  it('is the same where the source does just what the rule does', () => {
    expect(predicate({}, {})).toBe('same');
    expect(predicate({ normalise: ['trim', 'case-fold'] }, { normalise: ['case-fold', 'trim'] })).toBe('same');
    expect(predicate({ normalise: [phone] }, { normalise: [phone] })).toBe('same');
  });

  it('is wider where the source loses more', () => {
    expect(predicate({}, { normalise: ['case-fold'] })).toBe('wider');
    expect(predicate({ normalise: ['trim'] }, { by: 'contains', normalise: ['trim'] })).toBe('wider');
    expect(predicate({ normalise: ['number'] }, { normalise: ['number', 'digits-only'] })).toBe('wider');
  });

  // Each fails if a filter that leaves out a record which the register would hold for supports a no-match.
  it.each<[string, Partial<IdentifierRule>, Partial<ValueComparison>]>([
    ['keeps the case', { normalise: ['case-fold'] }, {}],
    ['knows no near form', { normalise: ['case-fold'], near: ['strip-leading-zeros'] }, { normalise: ['case-fold'] }],
    ['writes numbers of another country', { normalise: [phone] }, { normalise: [{ phone: { countryCode: '44' } }] }],
    ['cuts dates in another zone', { normalise: [{ date: { zone: 'Asia/Tokyo' } }] }, { normalise: [{ date: { zone: 'UTC' } }] }],
    ['reads the number of what is left of it', { normalise: ['number'] }, { normalise: ['digits-only', 'number'] }],
    ['folds the case of an address and no more', { normalise: ['email'] }, { normalise: ['trim', 'case-fold'] }],
    ['breaks it into words', {}, { by: 'tokens' }],
  ])('is narrower where the source %s', (_what, rule, comparison) => expect(predicate(rule, comparison)).toBe('narrower'));

  it('may lack the near form of what only narrows', () => {
    expect(predicate({ kind: 'scope', normalise: ['trim'], near: ['strip-separators'] }, { normalise: ['trim'] })).toBe('same');
  });

  it('is unknown where nothing is said of it', () => {
    expect([predicate({}, null), predicate({}, { by: 'unknown' })]).toEqual(['unknown', 'unknown']);
  });
});
