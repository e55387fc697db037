import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aPageSeen, aRegister, aSource } from '../test/builders.js';
import type { ReasonCode } from './catalogue.js';
import type { Effect, Observation, PageObservation } from './observation.js';
import { startWalk, step, walkTable, type Move, type Phase, type WalkState } from './walk.js';
import { walkLimits, type ObservationClass, type WalkLimits } from './walk-class.js';

const limits = (over: Partial<WalkLimits> = {}): WalkLimits => ({ ...walkLimits(aRegister(), aSource(), 'exists'), ...over });

/** The nth page of a walk that goes on: its own ids, its own cursor. */
const nth = (n: number, over: Partial<PageObservation> = {}): PageObservation =>
  aPageSeen({ idsDigest: `d${n}`, nextCursor: `c${n}`, ...over });
const last = (n: number, over: Partial<PageObservation> = {}): PageObservation => nth(n, { end: 'signalled', nextCursor: null, ...over });

const run = (observations: readonly Observation[], over: Partial<WalkLimits> = {}): { state: WalkState; effect: Effect } =>
  observations.reduce<{ state: WalkState; effect: Effect }>(
    ({ state }, observation) => step(state, observation, limits(over)),
    startWalk(),
  );

const endOf = (observations: readonly Observation[], over: Partial<WalkLimits> = {}): readonly [string, readonly ReasonCode[]] => {
  const { effect } = run(observations, over);
  return effect.type === 'end' ? [effect.stop, effect.doubts] : [`request ${effect.cursor} in pass ${effect.pass}`, []];
};

/** One observation of each class, as the third of a pass whose first two pages were nth(0) and nth(1). */
const examples: Readonly<Record<ObservationClass, readonly [Observation, ReasonCode | null]>> = {
  failure: [{ type: 'failure', reason: 'rate-limited', elapsedMs: 1 }, 'rate-limited'],
  stopped: [last(2, { reasons: ['cap-reached'] }), 'cap-reached'],
  'boundary-changed': [last(2, { snapshot: 's2' }), 'boundary-changed'],
  duplicated: [last(2, { idsDigest: 'd1' }), 'page-duplicated'],
  unclear: [nth(2, { end: 'unclear' }), 'end-signals-conflict'],
  signalled: [last(2), 'end-signalled'],
  matched: [nth(2, { matched: true }), 'match-found'],
  'cursor-missing': [nth(2, { nextCursor: null }), 'metadata-missing'],
  'cursor-repeated': [nth(2, { nextCursor: 'c0' }), 'cursor-repeated'],
  idle: [nth(2, { records: 3, repeatedIds: 3 }), 'no-progress'],
  'over-budget': [nth(2, { elapsedMs: 90_000 }), 'budget-time'],
  continues: [nth(2), null],
};

/** Limits under which each class can arise, in either pass. */
const limitsFor: Partial<Record<ObservationClass, Partial<WalkLimits>>> = {
  'boundary-changed': { drift: 'snapshot' },
  idle: { idlePagesMax: 0 },
};

const twoPages = (phase: Phase, over: Partial<WalkLimits>): WalkState => {
  const first = [nth(0), nth(1)];
  if (phase === 'first-pass') return run(first, over).state;
  const passes = [...first, last(2), ...first];
  const { state } = run(passes, { ...over, drift: 'second-pass' });
  return phase === 'second-pass' ? state : run([nth(0), { type: 'failure', reason: 'timed-out', elapsedMs: 1 }]).state;
};

const rows = readFileSync(new URL('./walk.SPEC.md', import.meta.url), 'utf8')
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter((cells) => cells.length === 6 && cells[1] !== undefined && Object.hasOwn(walkTable, cells[1]))
  .map((cells) => cells.slice(1, 5) as [Phase, ObservationClass, Move, string]);

describe('walk.SPEC.md and walkTable', () => {
  it('have the same cells, each once: a cell without a row would be behaviour that nobody wrote down', () => {
    const table = Object.entries(walkTable).flatMap(([phase, cells]) => Object.entries(cells).map(([cell, move]) => [phase, cell, move]));
    expect(rows.map(([phase, cell, move]) => [phase, cell, move]).sort()).toEqual(table.sort());
    expect(rows).toHaveLength(36);
  });

  it.each(rows)('%s x %s does %s', (phase, cell, move, reason) => {
    const over = limitsFor[cell] ?? {};
    const before = twoPages(phase, over);
    const [observation, stop] = examples[cell];
    const { state, effect } = step(before, observation, limits(phase === 'second-pass' ? { drift: 'second-pass', ...over } : over));
    if (move === 'stay-ended') {
      expect([state, effect]).toEqual([before, { type: 'end', stop: 'timed-out', doubts: [] }]);
    } else if (move === 'request-next') {
      expect(effect).toEqual({ type: 'request', cursor: 'c2', pass: phase === 'first-pass' ? 1 : 2 });
    } else {
      expect(effect).toMatchObject({ type: 'end', stop });
      if (reason.startsWith('`') && move === 'stop') expect(reason).toContain(stop);
    }
  });
});

describe('the walk', () => {
  it('goes on after an empty first page that continues: an empty page is no end', () => {
    expect(endOf([nth(0, { records: 0 })])).toEqual(['request c0 in pass 1', []]);
    expect(endOf([nth(0, { records: 0 }), last(1, { records: 0 })])).toEqual(['end-signalled', []]);
  });

  it('finds a cycle of any length, also when every page in it is empty', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.nat(), (length, back) => {
        const pages = Array.from({ length }, (_, n) => nth(n, { records: 0 }));
        const [stop] = endOf([...pages, nth(length, { records: 0, nextCursor: `c${back % length}` })]);
        return stop === 'cursor-repeated';
      }),
    );
  });

  it('stops on each budget, and still takes an end that the last allowed page signals', () => {
    expect(endOf([nth(0), nth(1)], { pagesMax: 2 })[0]).toBe('budget-pages');
    expect(endOf([nth(0), last(1)], { pagesMax: 2 })).toEqual(['end-signalled', []]);
    expect(endOf([nth(0), nth(1)], { recordsMax: 20 })[0]).toBe('budget-records');
    expect(endOf([nth(0), nth(1)], { bytesMax: 2_000 })[0]).toBe('budget-bytes');
    expect(endOf([nth(0), nth(1)], { elapsedMsMax: 20 })[0]).toBe('budget-time');
  });

  it('stops at a match only for exists: enumerate and gone need the rest', () => {
    expect(endOf([nth(0, { matched: true })])[0]).toBe('match-found');
    for (const kind of ['enumerate', 'gone'] as const) expect(endOf([nth(0, { matched: true })], { kind })[0]).toBe('request c0 in pass 1');
    expect(endOf([last(0, { matched: true })])[0]).toBe('end-signalled');
  });

  it('keeps every doubt that a page flags, to the end', () => {
    expect(endOf([nth(0, { reasons: ['partial-answer'] }), nth(1), last(2, { reasons: ['timed-out'] })])).toEqual([
      'end-signalled',
      ['partial-answer', 'timed-out'],
    ]);
  });

  it('takes no connector at its word that a failure or a flag is an end or a match', () => {
    for (const reason of ['end-signalled', 'match-found'] as const) {
      expect(endOf([{ type: 'failure', reason, elapsedMs: 1 }])[0]).toBe('response-invalid');
      expect(endOf([nth(0, { reasons: [reason] })])[0]).toBe('response-invalid');
    }
    expect(endOf([{ type: 'failure', reason: 'shiny' as ReasonCode, elapsedMs: 1 }])[0]).toBe('unlisted-reason');
  });

  it('refuses counts that cannot be: more repeated ids than records would make negative progress', () => {
    for (const over of [{ records: -1 }, { records: Number.NaN }, { repeatedIds: 11 }, { bytes: 0.5 }]) {
      expect(endOf([last(0, over)])[0]).toBe('response-invalid');
    }
  });

  it('ends by signal only where a page signalled it, whatever comes (V1)', () => {
    const page = fc.record({
      n: fc.nat({ max: 6 }),
      end: fc.constantFrom<PageObservation['end']>('continues', 'unclear'),
      records: fc.constantFrom(0, 10),
      matched: fc.boolean(),
      reasons: fc.constantFrom<readonly ReasonCode[]>([], ['truncated'], ['cap-reached'], ['end-signalled']),
    });
    fc.assert(
      fc.property(fc.array(page, { maxLength: 12 }), fc.constantFrom('exists' as const, 'gone' as const), (pages, kind) => {
        const [stop] = endOf(
          pages.map(({ n, ...over }) => nth(n, over)),
          { kind, drift: 'second-pass' },
        );
        return stop !== 'end-signalled';
      }),
    );
  });
});

describe('drift', () => {
  const doubtsOf = (observations: readonly Observation[], drift: WalkLimits['drift']): readonly ReasonCode[] =>
    endOf(observations, { drift })[1];
  const read = (over: Partial<PageObservation> = {}): readonly Observation[] => [nth(0, over), last(1, over)];

  it.each([
    ['none', ['drift-possible']],
    ['single-response', ['drift-possible']],
    ['keyset', []],
    ['documented', []],
    ['snapshot', ['drift-possible']],
  ] as const)('of two pages without a snapshot id under rule %s leaves %j', (drift, doubts) => {
    expect(doubtsOf(read(), drift)).toEqual(doubts);
  });

  it.each(['none', 'single-response', 'keyset', 'documented', 'snapshot', 'second-pass'] as const)(
    'is excluded by one response under %s',
    (drift) => {
      expect(endOf([last(0)], { drift })).toEqual(['end-signalled', []]);
    },
  );

  it('is excluded by one snapshot id on every page, and stops at another', () => {
    expect(doubtsOf(read({ snapshot: 's1' }), 'snapshot')).toEqual([]);
    expect(endOf([nth(0, { snapshot: 's1' }), last(1)], { drift: 'snapshot' })[0]).toBe('boundary-changed');
  });

  it('is checked by a second pass: equal digests prove, others do not', () => {
    const pass = read();
    expect(endOf(pass, { drift: 'second-pass' })[0]).toBe('request null in pass 2');
    expect(endOf([...pass, ...pass], { drift: 'second-pass' })).toEqual(['end-signalled', []]);
    expect(endOf([...pass, nth(0), last(7)], { drift: 'second-pass' })).toEqual(['end-signalled', ['drift-possible']]);
    expect(endOf([...pass, last(0)], { drift: 'second-pass' })).toEqual(['end-signalled', ['drift-possible']]);
  });

  it('stays in doubt when no budget is left for the second pass', () => {
    expect(endOf(read(), { drift: 'second-pass', pagesMax: 2 })).toEqual(['end-signalled', ['drift-possible']]);
  });

  it('a second pass may use the cursors and ids of the first, so it is no cycle and no duplicate', () => {
    expect(endOf([...read(), nth(0)], { drift: 'second-pass' })[0]).toBe('request c0 in pass 2');
  });

  it('a changed total is a doubt only where drift is not excluded', () => {
    const changing = (drift: WalkLimits['drift']): readonly ReasonCode[] =>
      doubtsOf([nth(0, { total: { value: 20, relation: 'exact' } }), last(1, { total: { value: 21, relation: 'exact' } })], drift);
    expect(changing('none')).toEqual(['drift-possible', 'total-changed']);
    expect(changing('keyset')).toEqual([]);
  });

  it('an exact total that is not the number of distinct records is a mismatch: hidden rows look like an end', () => {
    const total = (value: number, relation: 'exact' | 'estimate' | 'lower-bound' = 'exact') => ({ total: { value, relation } });
    expect(doubtsOf([last(0, { records: 3, ...total(13) })], 'keyset')).toEqual(['total-mismatch']);
    expect(doubtsOf([last(0, { records: 13, ...total(13) })], 'keyset')).toEqual([]);
    expect(doubtsOf([last(0, { records: 0, ...total(1) })], 'single-response')).toEqual(['total-mismatch']);
    expect(doubtsOf([last(0, { records: 12, ...total(10) })], 'single-response')).toEqual(['total-mismatch']);
    expect(doubtsOf([nth(0, total(82, 'estimate')), last(1, total(22, 'estimate'))], 'keyset')).toEqual([]);
    expect(doubtsOf([last(0, total(10_000, 'lower-bound'))], 'keyset')).toEqual([]);
  });

  it('a keyset over a growing table may read more than its first total, and not fewer', () => {
    expect(doubtsOf([nth(0, { total: { value: 15, relation: 'exact' } }), last(1)], 'keyset')).toEqual([]);
    expect(doubtsOf([nth(0, { total: { value: 101, relation: 'exact' } }), last(1)], 'keyset')).toEqual(['total-mismatch']);
  });

  // Fails if a total that grows from page to page, in both passes alike, is believed to be what was read because it once was.
  it('where nothing moved, an exact total that changes counts something else', () => {
    const of = (value: number) => ({ total: { value, relation: 'exact' as const } });
    const pass = [nth(0, of(20)), last(1, of(21))];
    expect(endOf([...pass, ...pass], { drift: 'second-pass' })).toEqual(['end-signalled', ['total-mismatch']]);
    expect(doubtsOf([nth(0, { ...of(20), snapshot: 's1' }), last(1, { ...of(21), snapshot: 's1' })], 'snapshot')).toEqual([
      'total-mismatch',
    ]);
  });

  it('repeated records show that the order is not total; rows that add up to the total prove nothing', () => {
    const overlapping = [nth(0, { records: 3, total: { value: 6, relation: 'exact' } }), last(1, { records: 3, repeatedIds: 3 })];
    expect(doubtsOf(overlapping, 'keyset')).toEqual(['order-unproven', 'total-mismatch']);
    // Fails if a documented cursor is believed although its second page brings the first one's records in another order.
    expect(doubtsOf([nth(0), last(1, { repeatedIds: 1 })], 'documented')).toEqual(['order-unproven']);
  });
});
