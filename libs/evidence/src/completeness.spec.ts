import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { generatedArbitrary } from '../test/arbitrary-evidence.js';
import { aRegister, aRow, anAmbiguousRow, cleanRead, decideOn, DECIDED_AT, evidenceOf } from '../test/builders.js';
import { reasonCodes } from './catalogue.js';
import { completenessOf } from './completeness.js';
import { decide } from './decide.js';

/** Properties are slow on a busy machine; their bound is the number of runs. */
vi.setConfig({ testTimeout: 120_000 });

describe('partial, coverage and from_clamped', () => {
  it('partial is false for end-signalled alone, over the whole catalogue, as a stop and as a doubt', () => {
    for (const code of reasonCodes) {
      const asStop = decideOn(aRegister(), [{ source: 'crm', attempts: [{ pages: [{ stop: code }] }], ended: { stopReason: code } }]);
      const asDoubt = decideOn(aRegister(), [cleanRead('crm', [{ doubts: [code], rows: [aRow()] }])]);
      const partial = code !== 'end-signalled';
      expect([code, asStop.partial, asStop.coverage !== 'complete', asDoubt.partial]).toEqual([code, partial, partial, true]);
    }
  });

  it('partial is false exactly when every deciding source ended by signal without a doubt and the verdict is no hold', () => {
    fc.assert(
      fc.property(generatedArbitrary, ({ register, events }) => {
        const decision = decide(evidenceOf(events), register, DECIDED_AT);
        const deciding = decision.findings.filter(({ role }) => role === 'deciding');
        const clean = deciding.every(({ stop, doubts, accepted }) => stop === 'end-signalled' && doubts.length + accepted.length === 0);
        const lost = decision.reasons.some(({ code }) => code === 'evidence-incomplete');
        const ambiguous = decision.reasons.some(({ code }) => code === 'identity-ambiguous' || code === 'merge-unreadable');
        expect(decision.partial).toBe(!clean || lost || ambiguous || decision.verdict === 'evidence-hold');
        if (decision.verdict === 'scoped-no-match') expect([decision.coverage, decision.fromClamped]).toEqual(['complete', false]);
        expect(decision.partial).toBe(decision.coverage !== 'complete');
      }),
    );
  });

  it('a match after a complete read is not partial, after a stop at it it is', () => {
    const complete = decideOn(aRegister(), [cleanRead('crm', [{ rows: [aRow()] }])]);
    expect(complete).toMatchObject({ verdict: 'match-review', partial: false, coverage: 'complete', fromClamped: false });
    const pages = [{ rows: [aRow()], stop: 'match-found' }];
    const early = decideOn(aRegister(), [{ source: 'crm', attempts: [{ pages, ends: false }], ended: { stopReason: 'match-found' } }]);
    expect(early).toMatchObject({ verdict: 'match-review', partial: true, count: null });
  });

  it('a hold for an ambiguous row is partial although everything was read', () => {
    expect(decideOn(aRegister(), [cleanRead('crm', [{ rows: [anAmbiguousRow()] }])])).toMatchObject({
      verdict: 'evidence-hold',
      partial: true,
    });
  });

  it('of several coverages the first of range, field, time and recent counts', () => {
    const all = ['within-index-lag', 'timed-out', 'field-unavailable', 'cap-reached'] as const;
    expect(all.map((_, index) => completenessOf(all.slice(0, index + 1)).coverage)).toEqual([
      'recent_unavailable',
      'timed_out',
      'field_unavailable',
      'range_too_wide',
    ]);
  });

  it('a clamped start is told as such, next to other reasons', () => {
    expect(decideOn(aRegister(), [cleanRead('crm', [{ doubts: ['timed-out', 'from-clamped'] }])])).toMatchObject({
      partial: true,
      fromClamped: true,
    });
    expect(completenessOf([])).toEqual({ partial: false, coverage: 'complete', fromClamped: false });
  });
});
