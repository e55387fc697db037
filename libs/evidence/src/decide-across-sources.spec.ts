import { describe, expect, it } from 'vitest';
import { aRegister, aRow, aSource, aTarget, anAmbiguousRow, at, cleanRead, codesOf, decideOn, type SourcePlan } from '../test/builders.js';
import type { StartedFacts } from './facts.js';
import type { Register, SourceRule } from './register.js';

const outcome = (
  register: Register,
  plans: readonly SourcePlan[],
  started: Partial<StartedFacts> = {},
): readonly [string, ...(readonly string[])] => {
  const decision = decideOn(register, plans, started);
  return [decision.verdict, ...codesOf(decision)];
};
const stopped = (source: string, stopReason: string, pages: Parameters<typeof cleanRead>[1] = [{}]): SourcePlan => ({
  source,
  attempts: [{ pages, ends: false }],
  ended: { stopReason },
});
const noMatch = ['scoped-no-match', 'crm:end-signalled'];
const held = (...codes: readonly string[]): readonly string[] => ['evidence-hold', ...codes];

describe('several sources', () => {
  const two = (over: Partial<Register> = {}, second: Partial<SourceRule> = {}): Register =>
    aRegister({ sources: [aSource(), aSource({ name: 'archive', ...second })], ...over });
  const startsAt = (source: string, startsAtMs: number): SourcePlan => ({ source, attempts: [{ pages: [{}], startsAtMs }] });

  it('a no-match needs every deciding source, a match any one', () => {
    expect(outcome(two(), [cleanRead('crm'), cleanRead('archive')])[0]).toBe('scoped-no-match');
    expect(outcome(two(), [cleanRead('crm'), stopped('archive', 'rate-limited')])).toEqual(held('archive:rate-limited'));
    expect(outcome(two(), [stopped('crm', 'source-forbidden'), cleanRead('archive', [{ rows: [aRow()] }])])).toEqual([
      'match-review',
      'archive:match-found',
      'crm:source-forbidden',
    ]);
  });

  it('a hold names every reason of every source, and heals by waiting only if each does', () => {
    const decision = decideOn(two(), [stopped('crm', 'timed-out'), stopped('archive', 'cap-reached')]);
    expect([codesOf(decision), decision.healsByWaiting]).toEqual([['crm:timed-out', 'archive:cap-reached'], false]);
    expect(decision.owner).toEqual({ role: 'register-owner', name: 'intake team', contact: 'intake@example.test' });
    expect(decideOn(two(), [stopped('crm', 'timed-out'), cleanRead('archive')]).healsByWaiting).toBe(true);
  });

  it('one way: the archive has to be read so late that what moved meanwhile is in it', () => {
    const register = two({ moves: { kind: 'one-way' } }, { lagMaxMs: 200 });
    expect(outcome(register, [cleanRead('crm', [{}]), startsAt('archive', 1_400)])[0]).toBe('scoped-no-match');
    expect(outcome(register, [cleanRead('crm', [{}]), startsAt('archive', 1_300)])).toEqual(held('archive:moved-between-sources'));
    expect(outcome(two(), [cleanRead('crm', [{}]), startsAt('archive', 300)])[0]).toBe('scoped-no-match');
    const early = { ...cleanRead('crm', [{ endedAt: at(900) }]), ended: { endedAt: at(105) } };
    expect(outcome(register, [early, startsAt('archive', 1_400)])).toEqual(held('archive:moved-between-sources'));
  });

  describe('both ways', () => {
    const register = two({ moves: { kind: 'both-ways', leastBetweenMovesMs: 10_000 } });
    const crmAgain = (startsAtMs: number, ended: SourcePlan['ended'] = {}): SourcePlan => ({
      source: 'crm',
      attempts: [{ pages: [{}], startsAtMs, id: 'again' }],
      ended,
    });
    const moved = held('crm:moved-between-sources', 'archive:moved-between-sources');

    it('is never proven by one reading of each, and by a second of all but the last', () => {
      const once = [cleanRead('crm'), startsAt('archive', 2_000)];
      expect(outcome(register, once)).toEqual(moved);
      expect(outcome(register, [...once, crmAgain(4_000)])).toEqual(['scoped-no-match', 'crm:end-signalled', 'archive:end-signalled']);
      expect(outcome(register, [...once, crmAgain(2_500)])).toEqual(moved);
      expect(outcome(register, [...once, crmAgain(9_500)])).toEqual(moved);
      expect(outcome(two({ moves: { kind: 'both-ways' } }), [...once, crmAgain(4_000)])).toEqual(moved);
    });

    // Each fails if the second reading may be anything but a whole one.
    it('needs a second reading that came to its end, of another attempt, without a doubt', () => {
      const once = [cleanRead('crm'), startsAt('archive', 2_000)];
      const failed: SourcePlan = {
        source: 'crm',
        attempts: [{ pages: [{}], startsAtMs: 4_000, id: 'again', ends: false }],
        ended: { stopReason: 'timed-out' },
      };
      expect(outcome(register, [...once, failed])).toContain('crm:timed-out');
      expect(outcome(register, [...once, crmAgain(4_000, { doubts: ['order-unproven'] })])).toEqual(held('crm:order-unproven'));
      expect(outcome(register, [...once, crmAgain(4_000, { pagesOfAllAttempts: 2 })])).toContain('crm:evidence-incomplete');
      expect(outcome(register, [...once, crmAgain(4_000), { ...crmAgain(6_000), attempts: [{ pages: [{}], id: 'third' }] }])[0]).toBe(
        'evidence-hold',
      );
      expect(outcome(register, [...once, { ...cleanRead('crm'), attempts: [] }])[0]).toBe('evidence-hold');
    });

    it('a match of the second reading is a match', () => {
      const found: SourcePlan = { source: 'crm', attempts: [{ pages: [{ rows: [aRow()] }], startsAtMs: 4_000, id: 'again' }] };
      expect(outcome(register, [cleanRead('crm'), startsAt('archive', 2_000), found])[0]).toBe('match-review');
    });

    it('a second reading where nothing moves both ways is no evidence', () => {
      expect(outcome(two(), [cleanRead('crm'), startsAt('archive', 2_000), crmAgain(4_000)])[0]).toBe('evidence-hold');
    });
  });

  it('a candidates source only adds: its silence, its failure and its doubts change nothing', () => {
    const register = two({}, { role: 'candidates', method: 'approximate', lagMaxMs: null, drift: 'none', attestation: undefined });
    const clean = [cleanRead('crm'), cleanRead('archive', [{ doubts: ['truncated'] }, {}])];
    expect(outcome(register, clean)).toEqual(noMatch);
    expect(outcome(register, [cleanRead('crm'), stopped('archive', 'source-unavailable')])).toEqual(noMatch);
    expect(decideOn(register, clean)).toMatchObject({
      partial: false,
      boundaries: [{ source: 'crm' }],
      findings: [{}, { source: 'archive', role: 'candidates' }],
    });
  });

  it('a match that a candidates source shows is a match; an ambiguous row of it is shown and does not hold', () => {
    const register = two({}, { role: 'candidates' });
    expect(outcome(register, [cleanRead('crm'), cleanRead('archive', [{ rows: [aRow()] }])])[0]).toBe('match-review');
    const decision = decideOn(register, [cleanRead('crm'), cleanRead('archive', [{ rows: [anAmbiguousRow()] }])]);
    expect([decision.verdict, decision.candidates.length]).toEqual(['scoped-no-match', 1]);
  });

  it('evidence that is lost holds also for a candidates source: it may have held the match', () => {
    const register = two({}, { role: 'candidates' });
    const lost: SourcePlan = { ...cleanRead('archive', [{}]), ended: { pages: 2 } };
    expect(outcome(register, [cleanRead('crm'), lost])).toEqual(held('archive:evidence-incomplete'));
  });

  it('a source that the register does not have, or that is named twice, does not add up', () => {
    expect(outcome(aRegister(), [cleanRead('crm'), cleanRead('erp')], { sources: ['crm', 'erp'] })).toEqual(held('evidence-incomplete'));
    expect(outcome(aRegister(), [cleanRead('crm', [{}]), cleanRead('crm', [{}])], { sources: ['crm'] })).toContain(
      'crm:evidence-incomplete',
    );
  });
});

describe('own-writes', () => {
  const register = aRegister({ target: aTarget });
  const slots = cleanRead('own-writes', [{}]);

  it('has to be read for a register with a target, and only there', () => {
    expect(outcome(register, [cleanRead('crm'), slots])).toEqual([...noMatch, 'own-writes:end-signalled']);
    expect(outcome(register, [cleanRead('crm')], { sources: ['crm'] })).toEqual(
      held('evidence-incomplete', 'own-writes:evidence-incomplete'),
    );
    expect(outcome(aRegister(), [cleanRead('crm'), slots])[0]).toBe('evidence-hold');
  });

  it('a settled slot is a match, whatever the other sources show, with the status of its record', () => {
    const slot = (status: string | null) => cleanRead('own-writes', [{ rows: [aRow({ status })] }]);
    expect(outcome(register, [cleanRead('crm'), slot(null)])).toEqual(['match-review', 'own-writes:match-found']);
    expect(outcome(register, [cleanRead('crm'), slot('void')])[0]).toBe('scoped-no-match');
  });

  it('a write in flight holds, and heals by waiting', () => {
    const decision = decideOn(register, [cleanRead('crm'), { ...slots, ended: { doubts: ['write-in-flight'] } }]);
    expect([codesOf(decision), decision.healsByWaiting]).toEqual([['own-writes:write-in-flight'], true]);
  });

  it('alone never makes a register able to support a no-match', () => {
    const alone = aRegister({ target: aTarget, sources: [aSource({ role: 'candidates' })] });
    expect(outcome(alone, [cleanRead('crm'), slots])).toEqual(held('evidence-incomplete'));
    expect(outcome(aRegister({ target: aTarget, sources: [] }), [slots])).toEqual(held('evidence-incomplete'));
  });

  it('is no place that records move to', () => {
    const moving = aRegister({ target: aTarget, moves: { kind: 'one-way' } });
    expect(outcome(moving, [cleanRead('crm'), slots])[0]).toBe('scoped-no-match');
  });

  it('cannot be declared as a source to make up for a missing one', () => {
    const declared = aRegister({ sources: [aSource({ name: 'own-writes' })] });
    expect(outcome(declared, [slots])).toEqual(held('evidence-incomplete'));
  });

  it('needs no attestation: it is our own table', () => expect(outcome(register, [cleanRead('crm'), slots])[0]).toBe('scoped-no-match'));
});
