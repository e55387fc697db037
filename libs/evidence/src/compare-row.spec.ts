import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anAsked } from '../test/builders.js';
import { compareRow, outcomeOf, type IdentifierRules, type RowOutcome } from './compare-row.js';
import type { Comparison } from './facts.js';
import type { SourceRow } from './observation.js';

const rules: IdentifierRules = {
  account: { kind: 'scope', normalise: ['trim'] },
  reference: { kind: 'key', normalise: ['trim', 'case-fold'], near: ['case-fold', 'strip-separators'] },
  serial: { kind: 'key', normalise: ['trim'] },
  note: { kind: 'hint', normalise: [] },
};
const asked = [anAsked('account', 'acme'), anAsked('reference', 'INV-1'), anAsked('serial', '77'), anAsked('note', 'blue')];

const row = (values: SourceRow['values']): SourceRow => ({ recordId: 'r', version: null, values, status: null, followedTo: null });
const full = { account: 'acme', reference: 'inv-1', serial: '77', note: 'blue' };
const compared = (values: SourceRow['values'], optional: readonly string[] = [], by = rules) =>
  compareRow(by, asked, row(values), optional);

const COMPARISONS: readonly Comparison[] = ['agree', 'near', 'differ', 'missing', 'unavailable'];

/** Both keys' results -> outcome; the rest of the 25 cells follow by symmetry. */
const truth: readonly [Comparison, Comparison, RowOutcome][] = [
  ['agree', 'agree', 'match'],
  ['agree', 'near', 'ambiguous'],
  ['agree', 'differ', 'other'],
  ['agree', 'missing', 'ambiguous'],
  ['agree', 'unavailable', 'ambiguous'],
  ['near', 'near', 'ambiguous'],
  ['near', 'differ', 'other'],
  ['near', 'missing', 'ambiguous'],
  ['near', 'unavailable', 'ambiguous'],
  ['differ', 'differ', 'other'],
  ['differ', 'missing', 'other'],
  ['differ', 'unavailable', 'other'],
  ['missing', 'missing', 'other'],
  ['missing', 'unavailable', 'other'],
  ['unavailable', 'unavailable', 'other'],
];

describe('outcomeOf', () => {
  it.each(truth)('keys %s and %s give %s, in either order', (one, other, outcome) => {
    expect(outcomeOf({ reference: one, serial: other }, rules)).toBe(outcome);
    expect(outcomeOf({ reference: other, serial: one }, rules)).toBe(outcome);
  });

  it('covers all 25 cells', () => expect(new Set(truth.flatMap(([one, other]) => [`${one} ${other}`, `${other} ${one}`])).size).toBe(25));

  it('lets no scope and no hint decide: their agreement says nothing, their difference neither', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...COMPARISONS),
        fc.constantFrom(...COMPARISONS),
        fc.constantFrom(...truth),
        (account, note, [one, other, outcome]) => {
          return outcomeOf({ account, note, reference: one, serial: other }, rules) === outcome;
        },
      ),
    );
  });

  it('takes a missing key for a difference only where the register says so', () => {
    const differs: IdentifierRules = {
      ...rules,
      serial: { kind: 'key', normalise: [], whenMissing: { result: 'differs', owner: 'lead', reason: 'filled since 2020' } },
    };
    expect(outcomeOf({ reference: 'agree', serial: 'missing' }, differs)).toBe('other');
    expect(outcomeOf({ reference: 'agree', serial: 'unavailable' }, differs)).toBe('ambiguous');
    expect(outcomeOf({ reference: 'missing', serial: 'agree' }, differs)).toBe('ambiguous');
  });

  it('holds for a result that is not there or not known, so a garbled log cannot hide a match', () => {
    expect(outcomeOf({ reference: 'agree' }, rules)).toBe('ambiguous');
    expect(outcomeOf({}, rules)).toBe('ambiguous');
    expect(outcomeOf({ reference: 'agree', serial: 'AGREE' as Comparison }, rules)).toBe('ambiguous');
    expect(outcomeOf({ reference: 'agree' }, { reference: { kind: 'scope', normalise: [] } })).toBe('ambiguous');
  });
});

describe('compareRow', () => {
  it('matches in normal form, whatever the account has besides', () => {
    expect(compared(full)).toEqual({
      results: { account: 'agree', reference: 'agree', serial: 'agree', note: 'agree' },
      outcome: 'match',
      withoutKey: false,
      fieldUnavailable: [],
    });
  });

  it('is near where only the lossy form agrees, and never near for two empty forms', () => {
    expect(compared({ ...full, reference: 'Inv 1' }).results).toMatchObject({ reference: 'near' });
    const dashes = compareRow(rules, [anAsked('reference', '--')], row({ reference: '-' }), []);
    expect(dashes.results).toEqual({ reference: 'differ' });
  });

  it('takes near of the normal form, so that a lossy form need not repeat what the compared one does', () => {
    const by: IdentifierRules = { code: { kind: 'key', normalise: ['strip-separators', 'case-fold'], near: ['confusables'] } };
    const found = (code: string) => compareRow(by, [anAsked('code', 'AB-10')], row({ code }), []).results['code'];
    expect(['ab10', 'A B l O', 'АВ-10', 'AB-12'].map(found)).toEqual(['agree', 'near', 'near', 'differ']);
  });

  // Fails if a joiner in a copied value makes a record another one although the register does not strip it.
  it('is near where only what cannot be seen differs, whatever the register says of it', () => {
    const by: IdentifierRules = { code: { kind: 'key', normalise: [] } };
    expect(compareRow(by, [anAsked('code', 'AB1')], row({ code: 'A\u200bB1' }), [])).toMatchObject({ outcome: 'ambiguous' });
  });

  it('counts null, empty and blank as missing, and an absent path as unavailable', () => {
    for (const serial of [null, '', '  '])
      expect(compared({ ...full, serial })).toMatchObject({ outcome: 'ambiguous', fieldUnavailable: [] });
    const absent = compared({ ...full, serial: undefined });
    expect(absent).toMatchObject({ results: { serial: 'unavailable' }, outcome: 'ambiguous', fieldUnavailable: ['serial'] });
    expect(compared({ account: 'acme', reference: 'INV-1', note: '' }).fieldUnavailable).toEqual(['serial']);
  });

  it('takes an absent path for missing where the contract calls it optional', () => {
    expect(compared({ ...full, serial: undefined }, ['serial'])).toMatchObject({ results: { serial: 'missing' }, fieldUnavailable: [] });
  });

  it('counts a row without any key and lets it decide nothing', () => {
    expect(compared({ account: 'acme', reference: null, serial: '', note: 'blue' })).toMatchObject({ outcome: 'other', withoutKey: true });
    expect(compared({ account: 'acme' })).toMatchObject({ outcome: 'other', withoutKey: true, fieldUnavailable: ['reference', 'serial'] });
  });

  it('a scope or hint that is absent is no doubt', () =>
    expect(compared({ reference: 'INV-1', serial: '77' })).toMatchObject({ outcome: 'match', fieldUnavailable: [] }));

  describe('of a value that cannot be read as the register reads it', () => {
    const number: IdentifierRules = { order: { kind: 'key', normalise: ['number'] } };
    const order = (found: string, by = number) => compareRow(by, [anAsked('order', '1000')], row({ order: found }), []);

    // Fails if a table whose numbers are all written otherwise than the register reads them gives no-match for every question.
    it('holds where it may be what was asked, also as the only key', () => {
      expect(order('1,000')).toMatchObject({ results: { order: 'near' }, outcome: 'ambiguous', withoutKey: false });
    });

    it('counts as missing where it cannot be, so that a remark in the field holds nothing', () => {
      expect(order('see notes')).toMatchObject({ results: { order: 'missing' }, outcome: 'other', withoutKey: true });
    });

    it('is no field that was left empty: what the register says of those opens nothing', () => {
      const differs = { result: 'differs', owner: 'lead', reason: 'filled since 2020' } as const;
      expect(order('1,000', { order: { kind: 'key', normalise: ['number'], whenMissing: differs } }).outcome).toBe('ambiguous');
    });
  });

  it('500 other requests of the account are neither matches nor doubts', () => {
    const outcomes = Array.from({ length: 500 }, (_, n) => compared({ ...full, reference: `INV-${n + 2}`, serial: `${n}` }).outcome);
    expect(new Set(outcomes)).toEqual(new Set(['other']));
  });

  it('reads no property that the row does not own: an identifier may be called constructor', () => {
    const named: IdentifierRules = Object.fromEntries([['constructor', { kind: 'key', normalise: [] }]]);
    expect(compareRow(named, [anAsked('constructor', 'x')], row({}), []).results).toEqual({ constructor: 'unavailable' });
  });
});
