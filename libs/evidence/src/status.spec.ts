import { describe, expect, it } from 'vitest';
import { aRegister, aRow, aSource, anAmbiguousRow, cleanRead, codesOf, decideOn, sha } from '../test/builders.js';
import type { Exclusion, PageRow } from './facts.js';
import { statementOf } from './statement.js';
import { FOLLOWED_MAX, isExcluded, statusEffect } from './status.js';

const rules = aRegister().status;
const on = (rows: readonly PageRow[], exclusions: readonly Exclusion[] = []) =>
  decideOn(aRegister(), [cleanRead('crm', [{ rows }, {}])], { exclusions });
const merged = (recordId: string, followedTo: string | null): PageRow => aRow({ recordId, status: 'merged', followedTo });

describe('status rules', () => {
  it('every unlisted status blocks, also none: a status that nobody thought of must not open the gate', () => {
    expect([null, 'open', '', 'VOID', 'void '].map((status) => statusEffect(status, rules))).toEqual(Array(5).fill('blocks'));
    expect([statusEffect('void', rules), statusEffect('merged', rules)]).toEqual(['reusable', 'follow']);
  });

  it('a matching record in a reusable status is no match, and is listed', () => {
    const decision = on([aRow({ status: 'void' })]);
    expect([decision.verdict, decision.reusable.map(({ recordId }) => recordId)]).toEqual(['scoped-no-match', ['rec-1']]);
  });

  // Fails if the reading that came first, or last, counts alone: the record was opened again while the source was read.
  it('a record that was reopened between two readings blocks, whichever came first', () => {
    const [closed, reopened] = [aRow({ status: 'void', version: '1' }), aRow({ status: 'open', version: '2' })];
    expect([on([closed, reopened]).verdict, on([reopened, closed]).verdict]).toEqual(['match-review', 'match-review']);
    expect(on([aRow({ status: 'reopened' })]).verdict).toBe('match-review');
  });

  it('two records that match are both named, and so is a reusable one beside a live one', () => {
    const [one, two] = [aRow(), aRow({ recordId: 'rec-2' })];
    const decision = on([one, two]);
    expect([decision.verdict, decision.matches.map(({ recordId }) => recordId), decision.count]).toEqual([
      'match-review',
      ['rec-1', 'rec-2'],
      null,
    ]);
    const beside = on([{ ...one, status: 'void' }, two]);
    expect([beside.verdict, beside.matches.length, beside.reusable.length]).toEqual(['match-review', 1, 1]);
  });

  // Fails if a person, or an agent, takes the first of several records for the one that is meant.
  it('the statement says that several records match, and not of one record that was read twice or in a copy', () => {
    const several = 'More than one record matches';
    const statement = (rows: readonly PageRow[]) =>
      statementOf({ decision: on(rows), register: aRegister(), identifiers: [], reveal: false });
    expect(statement([aRow(), aRow({ recordId: 'rec-2' })])).toContain(several);
    expect(statement([aRow(), aRow({ version: '2' })])).not.toContain(several);
    const register = aRegister({ sources: [aSource(), aSource({ name: 'copy', authority: 'copy', copyOf: 'crm' })] });
    const decision = decideOn(register, [cleanRead('crm', [{ rows: [aRow()] }]), cleanRead('copy', [{ rows: [aRow()] }])]);
    expect(decision.matches).toHaveLength(2);
    expect(statementOf({ decision, register, identifiers: [], reveal: false })).not.toContain(several);
  });

  it('an ambiguous record in a reusable status still needs a person', () => {
    expect(codesOf(on([anAmbiguousRow({ status: 'void' })]))).toEqual(['crm:identity-ambiguous']);
  });

  it('a merged record counts as the one that it was merged into, whatever that one compares to', () => {
    const target = aRow({ recordId: 'rec-2', results: { reference: 'differ' } });
    const decision = on([merged('rec-1', 'rec-2'), target]);
    expect([decision.verdict, decision.matches.map(({ recordId }) => recordId)]).toEqual(['match-review', ['rec-2']]);
    expect(on([merged('rec-1', 'rec-2'), { ...target, status: 'void' }]).verdict).toBe('scoped-no-match');
    expect(on([target]).verdict).toBe('scoped-no-match');
  });

  it.each([
    ['not followed', [merged('rec-1', null)]],
    ['followed to a record that was not read', [merged('rec-1', 'rec-9')]],
    ['merged into itself', [merged('rec-1', 'rec-1')]],
    ['merged in a circle', [merged('rec-1', 'rec-2'), merged('rec-2', 'rec-1')]],
    ['merged through too many', Array.from({ length: FOLLOWED_MAX + 3 }, (_, n) => merged(`rec-${n}`, `rec-${n + 1}`))],
  ])('a merged record that is %s is a hold', (_why, rows) => {
    const decision = on(rows);
    expect([decision.verdict, codesOf(decision)]).toEqual(['evidence-hold', ['crm:merge-unreadable']]);
  });

  it('merges that point at one another in every way take linear time', () => {
    const chain = Array.from({ length: FOLLOWED_MAX }, (_, n) =>
      [1, 2, 3, 4].map((version) => ({ ...merged(`rec-${n}`, `rec-${n + 1}`), version: `${version}` })),
    );
    expect(codesOf(on(chain.flat()))).toEqual(['crm:merge-unreadable']);
  });

  it('of several readings of the record that was followed, the one that blocks counts', () => {
    const readings = [
      aRow({ recordId: 'rec-2', status: 'void', results: {} }),
      aRow({ recordId: 'rec-2', status: 'open', results: { reference: 'differ' } }),
    ];
    expect(on([merged('rec-1', 'rec-2'), ...readings]).verdict).toBe('match-review');
  });
});

describe('exclusions', () => {
  const exclusion: Exclusion = { source: 'crm', recordId: 'rec-1', version: '1', digest: sha('rec-1') };

  it('hold for the reviewed version only, or for the digest where the source has no version', () => {
    expect(isExcluded('crm', aRow(), [exclusion])).toBe(true);
    expect(isExcluded('crm', aRow({ version: '2' }), [exclusion])).toBe(false);
    expect(isExcluded('crm', aRow({ version: null }), [exclusion])).toBe(false);
    expect(isExcluded('erp', aRow(), [exclusion])).toBe(false);
    expect(isExcluded('crm', aRow({ recordId: 'rec-2' }), [exclusion])).toBe(false);
    const byDigest = { ...exclusion, version: null };
    expect(isExcluded('crm', aRow({ version: null }), [byDigest])).toBe(true);
    expect(isExcluded('crm', aRow({ version: null, digest: sha('changed') }), [byDigest])).toBe(false);
  });

  // Fails if a merge brings back a record that a reviewer found to be another one, or hides the one that nobody reviewed.
  it('hold for a record that was merged, and for the one that it became, each by itself', () => {
    const target = aRow({ recordId: 'rec-2', results: { reference: 'differ' } });
    const ofTarget = { ...exclusion, recordId: 'rec-2' };
    expect(on([merged('rec-1', 'rec-2'), target], [exclusion]).verdict).toBe('scoped-no-match');
    expect(on([merged('rec-1', 'rec-2'), target], [ofTarget]).verdict).toBe('scoped-no-match');
    expect(on([merged('rec-1', 'rec-2'), { ...target, version: '2' }], [ofTarget]).verdict).toBe('match-review');
    expect(on([merged('rec-1', 'rec-2'), target, aRow({ recordId: 'rec-3' })], [exclusion, ofTarget]).verdict).toBe('match-review');
  });

  it('end with the version that was reviewed: a record that was changed or reopened is looked at again', () => {
    expect(on([aRow(), aRow({ version: '2' })], [exclusion])).toMatchObject({
      verdict: 'match-review',
      found: { excluded: 1, matches: 1 },
    });
    const byDigest = { ...exclusion, version: null };
    expect(on([aRow({ version: null, digest: sha('changed') })], [byDigest]).verdict).toBe('match-review');
  });

  it('take a matching or ambiguous record out of the verdict and leave it on the receipt', () => {
    for (const row of [aRow(), anAmbiguousRow()]) {
      const decision = on([row], [exclusion]);
      expect([decision.verdict, decision.excluded.length, decision.matches.length]).toEqual(['scoped-no-match', 1, 0]);
    }
    expect(on([aRow({ version: '2' })], [exclusion]).verdict).toBe('match-review');
  });
});
