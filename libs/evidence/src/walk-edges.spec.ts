/** The walk at the edges of its rules: one page, one record, one millisecond more or less. */
import { describe, expect, it } from 'vitest';
import { aPageSeen, aRegister, aSource } from '../test/builders.js';
import type { ReasonCode } from './catalogue.js';
import type { Observation, PageObservation } from './observation.js';
import { startWalk, step, type WalkStep } from './walk.js';
import { IDLE_PAGES_MAX, walkLimits, type WalkLimits } from './walk-class.js';

const limits = walkLimits(aRegister(), aSource(), 'exists');

const nth = (n: number, over: Partial<PageObservation> = {}): PageObservation =>
  aPageSeen({ idsDigest: `d${n}`, nextCursor: `c${n}`, ...over });
const last = (n: number, over: Partial<PageObservation> = {}): PageObservation => nth(n, { end: 'signalled', nextCursor: null, ...over });
const counting = (value: number): Partial<PageObservation> => ({ total: { value, relation: 'exact' } });

const outcome = (observations: readonly Observation[], over: Partial<WalkLimits> = {}): readonly string[] => {
  const walk = observations.reduce<WalkStep>(({ state }, seen) => step(state, seen, { ...limits, ...over }), startWalk());
  const { effect } = walk;
  return effect.type === 'end' ? [effect.stop, ...effect.doubts] : [`request ${effect.cursor} in pass ${effect.pass}`];
};

describe('limits of a walk', () => {
  it('are those of the register and of the source', () => {
    const register = aRegister();
    const expected = { ...register.budget, idlePagesMax: IDLE_PAGES_MAX, drift: 'snapshot', kind: 'gone' };
    expect(walkLimits(register, aSource({ drift: 'snapshot' }), 'gone')).toEqual(expected);
  });

  // Fails if a budget counts the last page only, or stops a page early: a search that could have ended would be held.
  it.each<[Partial<WalkLimits>, Partial<WalkLimits>, string]>([
    [{ pagesMax: 3 }, { pagesMax: 2 }, 'budget-pages'],
    [{ recordsMax: 21 }, { recordsMax: 20 }, 'budget-records'],
    [{ bytesMax: 2_001 }, { bytesMax: 2_000 }, 'budget-bytes'],
    [{ elapsedMsMax: 21 }, { elapsedMsMax: 20 }, 'budget-time'],
  ])('%j allows what %j stops', (allowing, stopping, stop) => {
    expect(outcome([nth(0), nth(1)], allowing)).toEqual(['request c1 in pass 1']);
    expect(outcome([nth(0), nth(1)], stopping)).toEqual([stop]);
  });

  it('count both passes together', () => {
    const pass = [nth(0), last(1)];
    const over = { drift: 'second-pass' as const, pagesMax: 3 };
    expect(outcome(pass, over)).toEqual(['request null in pass 2']);
    expect(outcome([...pass, nth(0)], over)).toEqual(['budget-pages']);
  });

  // Fails if pages without a new record are counted over the whole walk: sparse scans have many of them, and none is an end.
  it('of pages without a new record count those in a row', () => {
    const idle = (n: number) => nth(n, { records: 0 });
    expect(outcome([idle(0), nth(1), idle(2)], { idlePagesMax: 1 })).toEqual(['request c2 in pass 1']);
    expect(outcome([nth(0), idle(1), idle(2)], { idlePagesMax: 1 })).toEqual(['no-progress']);
    expect(outcome([idle(0)], { idlePagesMax: 1 })).toEqual(['request c0 in pass 1']);
    expect(outcome([nth(0), nth(1, { repeatedIds: 9 })], { idlePagesMax: 0 })).toEqual(['request c1 in pass 1']);
  });
});

describe('a page', () => {
  it.each<[string, Partial<PageObservation>]>([
    ['fewer bytes than none', { bytes: -1 }],
    ['fewer repeated ids than none', { repeatedIds: -1 }],
    ['more records than can be counted exactly', { records: 2 ** 53 }],
    ['half a repeated id', { repeatedIds: 0.5 }],
    ['a time below nothing', { elapsedMs: -1 }],
    ['no time that can be read', { elapsedMs: Number.NaN }],
  ])('with %s cannot be read, whatever it says of its end', (_what, over) => {
    expect(outcome([last(0, over)])).toEqual(['response-invalid']);
  });

  it('with nothing in it, in no time, can be read', () => {
    expect(outcome([last(0, { records: 0, bytes: 0, elapsedMs: 0 })])).toEqual(['end-signalled']);
    expect(outcome([nth(0), last(1, { repeatedIds: 10 })])).toEqual(['end-signalled', 'order-unproven']);
  });

  // Fails if empty pages count as copies of one another: a scan over a sparse table would never end.
  it('without records is no copy of another one', () => {
    const empty = { records: 0, idsDigest: 'nothing' };
    expect(outcome([nth(0, empty), nth(1, empty), last(2, empty)])).toEqual(['end-signalled']);
  });

  it('that is a copy of any page before it stops the walk, also at its signalled end', () => {
    expect(outcome([nth(0), nth(1), last(2, { idsDigest: 'd0' })])).toEqual(['page-duplicated']);
  });

  it('stops at the first reason that stops, and keeps each doubt once', () => {
    expect(outcome([nth(0, { reasons: ['partial-answer', 'cap-reached', 'truncated'] })])[0]).toBe('cap-reached');
    const flagged = { reasons: ['partial-answer'] as const };
    expect(outcome([nth(0, flagged), last(1, flagged)])).toEqual(['end-signalled', 'partial-answer']);
  });

  it('may have a snapshot id of its own where the source promises none', () => {
    expect(outcome([nth(0, { snapshot: 's1' }), last(1, { snapshot: 's2' })], { drift: 'keyset' })).toEqual(['end-signalled']);
  });

  it('lost its snapshot id on the way, or never had one, is not of one snapshot', () => {
    const snapshot = { drift: 'snapshot' as const };
    expect(outcome([nth(0), last(1, { snapshot: 's1' })], snapshot)).toEqual(['boundary-changed']);
    expect(outcome([last(0, { snapshot: 's1' })], snapshot)).toEqual(['end-signalled']);
  });
});

describe('a walk that stops before its end', () => {
  it('keeps the doubts that were seen before', () => {
    const flagged = nth(0, { reasons: ['partial-answer'] });
    expect(outcome([flagged, { type: 'failure', reason: 'timed-out', elapsedMs: 1 }])).toEqual(['timed-out', 'partial-answer']);
  });

  it('says so for ever', () => {
    expect(outcome([{ type: 'failure', reason: 'timed-out', elapsedMs: 1 }, last(0)])).toEqual(['timed-out']);
  });
});

describe('a second pass', () => {
  const drift = { drift: 'second-pass' as const };
  const pass = [nth(0), last(1)];

  // Fails if digests are compared only as far as the first pass goes: the records beyond it were not there before.
  it('that reads one page more, or one fewer, proves nothing', () => {
    expect(outcome([...pass, nth(0), nth(1), last(2)], drift)).toEqual(['end-signalled', 'drift-possible']);
    expect(outcome([...pass, last(0)], drift)).toEqual(['end-signalled', 'drift-possible']);
  });

  it('keeps the doubts of the first, and its repeated records', () => {
    const flagged = [nth(0, { reasons: ['partial-answer'] }), last(1)];
    expect(outcome([...flagged, ...pass], drift)).toEqual(['end-signalled', 'partial-answer']);
    expect(outcome([nth(0), last(1, { repeatedIds: 1 }), ...pass], drift)).toEqual(['end-signalled', 'order-unproven']);
  });

  it('that counts otherwise than the first, and reads otherwise, shows both', () => {
    const first = [nth(0, counting(20)), last(1, counting(20))];
    const second = [nth(0, counting(21)), last(7, { ...counting(21), records: 11 })];
    expect(outcome([...first, ...second], drift)).toEqual(['end-signalled', 'drift-possible', 'total-changed']);
  });

  it('is not read where one page was the whole, nor for a match that was seen', () => {
    expect(outcome([last(0)], drift)).toEqual(['end-signalled']);
    expect(outcome([nth(0), last(1, { matched: true })], drift)).toEqual(['match-found']);
    expect(outcome([nth(0), last(1, { matched: true })], { ...drift, kind: 'gone' })).toEqual(['request null in pass 2']);
  });

  it('begins with the cursors and the pages of its own', () => {
    const three = [nth(0), nth(1), last(2)];
    expect(outcome([...three, ...three], drift)).toEqual(['end-signalled']);
    expect(outcome([...three, nth(0), nth(1, { nextCursor: 'c0' })], drift)).toEqual(['cursor-repeated']);
  });
});

describe('an exact total', () => {
  const doubts = (observations: readonly Observation[], drift: WalkLimits['drift']): readonly ReasonCode[] =>
    outcome(observations, { drift }).slice(1) as readonly ReasonCode[];

  // Fails if the latest total replaces the least: a table that lost records while it was read would be called short of them.
  it.each(['keyset', 'documented'] as const)('under %s may move between what was read and what there was', (drift) => {
    expect(doubts([nth(0, counting(22)), last(1, counting(20))], drift)).toEqual([]);
    expect(doubts([nth(0, counting(18)), last(1, counting(19))], drift)).toEqual([]);
    expect(doubts([nth(0, counting(22)), last(1, counting(21))], drift)).toEqual(['total-mismatch']);
  });

  it('of one page is that of its records, and one that is less than them counts something else', () => {
    expect(doubts([last(0, counting(9))], 'keyset')).toEqual(['total-mismatch']);
    expect(doubts([last(0, counting(9))], 'documented')).toEqual(['total-mismatch']);
    expect(doubts([last(0, counting(10))], 'documented')).toEqual([]);
  });

  it('may not be passed by a source that overlaps its pages, nor by one that drifts', () => {
    expect(doubts([nth(0, counting(19)), last(1, counting(19))], 'overlap')).toEqual(['total-mismatch']);
    expect(doubts([nth(0, counting(19)), last(1, counting(19))], 'none')).toEqual(['drift-possible', 'total-mismatch']);
    expect(doubts([nth(0, counting(20)), last(1, counting(20))], 'none')).toEqual(['drift-possible']);
  });

  // Fails if only the greatest total is compared, or only a mismatch that both passes show.
  it('where nothing moved, is that of its records on every page and in either pass', () => {
    const of = (value: number): Partial<PageObservation> => ({ ...counting(value), snapshot: 's1' });
    expect(doubts([nth(0, of(19)), last(1, of(20))], 'snapshot')).toEqual(['total-mismatch']);
    expect(doubts([nth(0), last(1), nth(0), last(1, counting(999))], 'second-pass')).toEqual(['total-mismatch']);
  });

  it('counts once what came twice, and is known from any page that gives it', () => {
    expect(doubts([nth(0, counting(19)), last(1, { repeatedIds: 1 })], 'keyset')).toEqual(['order-unproven']);
    expect(doubts([nth(0, counting(20)), last(1, { total: { value: 999, relation: 'estimate' } })], 'keyset')).toEqual([]);
    expect(doubts([nth(0), last(1, counting(21))], 'keyset')).toEqual(['total-mismatch']);
  });
});

describe('the drift rule', () => {
  it.each<[WalkLimits['drift'], readonly string[]]>([
    ['overlap', []],
    ['upper-bound', ['drift-possible']],
  ])('%s leaves %j of two pages', (drift, doubts) => {
    expect(outcome([nth(0), last(1)], { drift })).toEqual(['end-signalled', ...doubts]);
    // A snapshot id that the source gives and does not promise proves nothing.
    const named = { snapshot: 's1' };
    expect(outcome([nth(0, named), last(1, named)], { drift })).toEqual(['end-signalled', ...doubts]);
  });
});
