import { describe, expect, it } from 'vitest';
import { aRegister, aRow, cleanRead, codesOf, decideOn } from '../test/builders.js';
import type { PageRow } from './facts.js';
import { OUTCOME_UNKNOWN, OWN_WRITES } from './own-writes.js';

const register = aRegister({
  target: { name: 'desk-ticket', kind: 'outside', policyId: 'v1', protection: 'own-writes-only', sendHorizonMs: 60_000 },
  status: { reusable: ['closed'], follow: [] },
});
const boundary = decideOn(register, [cleanRead('crm'), cleanRead(OWN_WRITES)]).boundaries[0]?.boundary ?? '';
const after = (ms: number) => new Date(Date.parse(boundary) + ms).toISOString();

const own = (outcome: 'known' | 'unknown', clearAt: string, over: Partial<PageRow> = {}) =>
  cleanRead(OWN_WRITES, [
    { rows: [aRow({ recordId: 'T-1', status: outcome === 'unknown' ? OUTCOME_UNKNOWN : null, ownWrite: { outcome, clearAt }, ...over })] },
  ]);
const decided = (...plans: Parameters<typeof decideOn>[1]) => decideOn(register, plans);

describe('a write outside whose outcome is unknown', () => {
  it('leaves the key free once every other source was seen later; fails when a send that may still arrive is taken for none', () => {
    const free = decided(cleanRead('crm'), own('unknown', after(-1)));
    expect([free.verdict, free.reusable.map(({ recordId }) => recordId)]).toEqual(['scoped-no-match', ['T-1']]);
    for (const ms of [0, 1]) {
      const early = decided(cleanRead('crm'), own('unknown', after(ms)));
      expect([early.verdict, codesOf(early), early.healsByWaiting]).toEqual(['evidence-hold', ['own-writes:write-in-flight'], true]);
    }
  });

  it('holds when the moment cannot be read', () => {
    expect(decided(cleanRead('crm'), own('unknown', 'lately')).verdict).toBe('evidence-hold');
  });

  it('does not stand against a match elsewhere', () => {
    expect(decided(cleanRead('crm', [{ rows: [aRow()] }]), own('unknown', after(-1))).verdict).toBe('match-review');
  });
});

describe('a record that was written outside', () => {
  it('matches by itself as long as the other sources need not show it yet', () => {
    const early = decided(cleanRead('crm'), own('known', after(0)));
    expect([early.verdict, early.matches.map(({ recordId }) => recordId)]).toEqual(['match-review', ['T-1']]);
  });

  it('has the status that another source shows; fails when a closed ticket of ours blocks for ever', () => {
    const shown = (status: string) => decided(cleanRead('crm', [{ rows: [aRow({ recordId: 'T-1', status })] }]), own('known', after(-1)));
    expect([shown('closed').verdict, shown('open').verdict]).toEqual(['scoped-no-match', 'match-review']);
    expect(shown('closed').reusable.map(({ source }) => source)).toEqual(['crm']);
  });

  it('is missing where all were seen later and none shows it: a person has to look, and nothing is created meanwhile', () => {
    const missing = decided(cleanRead('crm'), own('known', after(-1)));
    expect([missing.verdict, codesOf(missing)]).toEqual(['evidence-hold', ['own-writes:own-write-missing']]);
    expect(missing.candidates.map(({ recordId }) => recordId)).toEqual(['T-1']);
  });
});

describe('a record in an own table', () => {
  it('is its own evidence, whatever the sources show', () => {
    const plain = cleanRead(OWN_WRITES, [{ rows: [aRow({ recordId: 'rec-1', status: 'open' })] }]);
    expect(decideOn(aRegister({ target: { name: 't', kind: 'own-table', policyId: 'v1' } }), [cleanRead('crm'), plain]).verdict).toBe(
      'match-review',
    );
  });
});
