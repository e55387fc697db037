import { describe, expect, it } from 'vitest';
import { aRegister, aRow, aSource, cleanRead, decideOn, sha } from '../test/builders.js';
import { registerProblems } from './register-check.js';
import { statementOf } from './statement.js';

const withCopy = aRegister({
  sources: [
    aSource(),
    aSource({ name: 'index', role: 'candidates', method: 'approximate', authority: 'copy', copyOf: 'crm', lagMaxMs: null }),
  ],
});
const reviewed = { source: 'crm', recordId: 'rec-1', version: '1', digest: sha('rec-1') };
const seenInBoth = [cleanRead('crm', [{ rows: [aRow()] }]), cleanRead('index', [{ rows: [aRow()] }])];

describe('a record that stands in an original and in its copy', () => {
  it('is one record to a reviewer: called different once, it is excluded in both', () => {
    // Fails when the same review has to be made once for each source that shows the record.
    const decision = decideOn(withCopy, seenInBoth, { exclusions: [reviewed] });
    expect([decision.verdict, decision.excluded.map(({ source }) => source)]).toEqual(['scoped-no-match', ['crm', 'index']]);
    expect(decideOn(withCopy, seenInBoth, { exclusions: [{ ...reviewed, source: 'index' }] }).verdict).toBe('scoped-no-match');
  });

  it('is another record at another version, and in a source that is no copy', () => {
    // Fails when an exclusion spreads to what nobody reviewed: a matching record would then be read as absent.
    const changed = [cleanRead('crm', [{ rows: [aRow()] }]), cleanRead('index', [{ rows: [aRow({ version: '2' })] }])];
    expect(decideOn(withCopy, changed, { exclusions: [reviewed] }).verdict).toBe('match-review');
    const apart = aRegister({ sources: withCopy.sources.map(({ copyOf: _copyOf, ...source }) => source) });
    expect(decideOn(apart, seenInBoth, { exclusions: [reviewed] }).verdict).toBe('match-review');
  });

  it('must be declared of an original of the same register', () => {
    // Fails when a misspelt name makes two sources share nothing, in silence.
    const of = (copyOf: string, authority: 'copy' | 'original' = 'copy') =>
      registerProblems(aRegister({ sources: [aSource(), aSource({ name: 'index', authority, copyOf })] })).map(({ path }) => path);
    expect([of('crm'), of('cmr'), of('crm', 'original')]).toEqual([[], ['sources.index.copyOf'], ['sources.index.copyOf']]);
  });
});

describe('the newest part that a source leaves out', () => {
  const excluding = (recentExcludedMs: number) => decideOn(aRegister({ sources: [aSource({ recentExcludedMs })] }), [cleanRead('crm')]);

  it('is a reason of its own where the question needs it, and heals by waiting', () => {
    // Fails when a held-back window is taken for a slow index, which its owner would look for in vain.
    const decision = excluding(60_000);
    expect(decision.reasons.map(({ code }) => code).sort()).toEqual(['recent-unavailable', 'within-index-lag']);
    expect([decision.verdict, decision.healsByWaiting]).toEqual(['evidence-hold', true]);
  });

  it('is none where it was read late enough, or where the source is only slow', () => {
    expect(excluding(0).verdict).toBe('scoped-no-match');
    const lagging = decideOn(aRegister({ sources: [aSource({ lagMaxMs: 60_000 })] }), [cleanRead('crm')]);
    expect(lagging.reasons.map(({ code }) => code)).toEqual(['within-index-lag']);
  });
});

describe('the moment up to which sources were seen', () => {
  it('is none when a deciding source was left in the middle', () => {
    // Fails when a hold says that all sources were seen up to a moment and, in the next sentence, that one was not.
    const decision = decideOn(aRegister(), [
      { source: 'crm', attempts: [{ pages: [{}], ends: false }], ended: { stopReason: 'timed-out' } },
    ]);
    expect([decision.verdict, decision.asOf, decision.boundaries]).toEqual(['evidence-hold', null, [{ source: 'crm', boundary: null }]]);
    const statement = statementOf({ decision, register: aRegister(), identifiers: [], reveal: true });
    expect(statement).toContain('There is no moment');
  });
});
