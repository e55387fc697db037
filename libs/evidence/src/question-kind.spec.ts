import { describe, expect, it } from 'vitest';
import { aRegister, aRow, aSource, anAmbiguousRow, cleanRead, decideOn, LONG_AFTER, type SourcePlan } from '../test/builders.js';
import { statementOf } from './statement.js';

const cancelled = aRow({ status: 'void' });
const kinds = ['exists', 'gone', 'enumerate'] as const;
const asked = (kind: (typeof kinds)[number], plan: SourcePlan, register = aRegister()) => decideOn(register, [plan], { kind });
const said = (kind: (typeof kinds)[number], plan: SourcePlan): string =>
  statementOf({ decision: asked(kind, plan), kind, register: aRegister(), identifiers: [], reveal: true });

describe('a record in a status that does not stand against a creation', () => {
  it('lets a record be created, and is not gone; fails when a cancelled record may be deleted as if it were not there', () => {
    const verdicts = kinds.map((kind) => asked(kind, cleanRead('crm', [{ rows: [cancelled] }])).verdict);
    expect(verdicts).toEqual(['scoped-no-match', 'match-review', 'match-review']);
  });

  it('is counted among all; fails when a list of all leaves out the cancelled ones', () => {
    const rows = [cancelled, aRow({ recordId: 'rec-2' })];
    expect(asked('enumerate', cleanRead('crm', [{ rows }])).count).toBe(2);
  });
});

describe('gone', () => {
  it('is supported by a complete read without a match, and by nothing less; fails when a listing that was cut lets something be deleted', () => {
    expect(asked('gone', cleanRead('crm')).verdict).toBe('scoped-no-match');
    for (const stopReason of ['cap-reached', 'budget-pages', 'timed-out', 'source-unavailable', 'partial-answer']) {
      expect(asked('gone', { ...cleanRead('crm'), ended: { stopReason } }).verdict).toBe('evidence-hold');
    }
    expect(asked('gone', { ...cleanRead('crm'), ended: { doubts: ['drift-possible'] } }).verdict).toBe('evidence-hold');
  });

  it('never claims a number', () => {
    expect(asked('gone', cleanRead('crm', [{ rows: [aRow()] }])).count).toBeNull();
    expect(asked('gone', cleanRead('crm')).count).toBeNull();
  });

  it('says of a hold that it supports neither closing nor deleting, and never that the record is gone', () => {
    const text = said('gone', { ...cleanRead('crm'), ended: { stopReason: 'cap-reached' } });
    expect(text).toContain('cannot say whether the record is gone');
    expect(text).not.toMatch(/no match is left/i);
    expect(said('gone', cleanRead('crm'))).toContain('No match is left in this register');
    expect(said('gone', cleanRead('crm', [{ rows: [aRow()] }]))).toContain('not gone');
  });
});

describe('a count', () => {
  const two = [{ rows: [aRow()] }, { rows: [aRow({ recordId: 'rec-2' })] }];
  const copied = aRegister({ sources: [aSource(), aSource({ name: 'index', authority: 'copy', copyOf: 'crm' })] });

  it.each([
    ['stopped at a cap', { ended: { stopReason: 'cap-reached' } }],
    ['ran out of pages', { ended: { stopReason: 'budget-pages' } }],
    ['is in doubt', { ended: { doubts: ['partial-answer'] } }],
    ['lost a page', { ended: { pages: 3 } }],
  ])('is not given of a read that %s; fails when a part is counted as the whole', (_, changes) => {
    expect(asked('enumerate', { ...cleanRead('crm', two), ...changes }).count).toBeNull();
    expect(said('enumerate', { ...cleanRead('crm', two), ...changes })).toContain('no number of matches is claimed');
  });

  it('is not given while a record is for a person to compare: it may be one more', () => {
    expect(asked('enumerate', cleanRead('crm', [{ rows: [aRow(), anAmbiguousRow({ recordId: 'rec-2' })] }])).count).toBeNull();
  });

  it('is not given where the register accepts a doubt; fails when an accepted risk becomes a number', () => {
    const acceptedDoubts = [{ source: 'crm', doubt: 'drift-possible', owner: 'lead', reason: 'rare', until: LONG_AFTER }] as const;
    const decision = asked('enumerate', { ...cleanRead('crm', two), ended: { doubts: ['drift-possible'] } }, aRegister({ acceptedDoubts }));
    expect([decision.accepted.length, decision.count]).toEqual([1, null]);
  });

  it('takes a record and its copy for one; fails when an index doubles the number', () => {
    const decision = decideOn(copied, [cleanRead('crm', two), cleanRead('index', two)], { kind: 'enumerate' });
    expect(decision.count).toBe(2);
  });

  it('is not given where records move and several sources show some: one may have been seen on both sides', () => {
    const archive = aSource({ name: 'archive' });
    const register = aRegister({ sources: [aSource(), archive], moves: { kind: 'one-way' } });
    const later = (plan: SourcePlan): SourcePlan => ({ ...plan, attempts: plan.attempts.map((each) => ({ ...each, startsAtMs: 5_000 })) });
    const plans = (rows: SourcePlan) => [cleanRead('crm', two), later(rows)];
    expect(decideOn(register, plans(cleanRead('archive', two)), { kind: 'enumerate' }).count).toBeNull();
    expect(decideOn(register, plans(cleanRead('archive')), { kind: 'enumerate' }).count).toBe(2);
  });

  it('is given of nothing found: 0 in all', () => {
    expect(asked('enumerate', cleanRead('crm')).count).toBe(0);
    expect(said('enumerate', cleanRead('crm'))).toContain('0 in all');
    expect(said('enumerate', cleanRead('crm', two))).toContain('(2 in all)');
  });
});
