import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aRegister, aSource } from '../test/builders.js';
import { bothWaysMsMin, movedBetween, readAgain, type Reading } from './moves.js';
import type { Register } from './register.js';

const register = (moves: Register['moves'], names: readonly string[] = ['active', 'archive']): Register =>
  aRegister({ moves, sources: names.map((name) => aSource({ name })) });

const readings = (boundaryMs: number | null): readonly Reading[] => [
  { source: 'active', boundaryMs: 0, endedAtMs: 100 },
  { source: 'archive', boundaryMs, endedAtMs: 200 },
];
const bothWays = { kind: 'both-ways', leastBetweenMovesMs: 400 } as const;
const more = (boundaryMs: number | null, endedAtMs: number | null): readonly Reading[] => [
  ...readings(100),
  { source: 'active', boundaryMs, endedAtMs },
];

describe('movedBetween', () => {
  it('one way: a reading whose boundary lies before the end of the one before it may have missed a move', () => {
    expect(movedBetween(register({ kind: 'one-way' }), readings(100))).toEqual([]);
    expect(movedBetween(register({ kind: 'one-way' }), readings(99))).toEqual(['archive']);
    expect(movedBetween(register({ kind: 'one-way' }), readings(null))).toEqual(['archive']);
  });

  it('none: the order does not matter', () => {
    expect(movedBetween(register({ kind: 'none' }), readings(0))).toEqual([]);
  });

  // Each fails if two moves of one record can pass unseen.
  it('both ways: all but the last are read once more, in time, and before a record can move a second time', () => {
    expect(movedBetween(register(bothWays), more(200, 399))).toEqual([]);
    expect(movedBetween(register(bothWays), more(200, 400))).toEqual(['active', 'archive']);
    expect(movedBetween(register(bothWays), more(199, 399))).toEqual(['active', 'archive']);
    expect(movedBetween(register(bothWays), more(200, null))).toEqual(['active', 'archive']);
    expect(movedBetween(register(bothWays), readings(100))).toEqual(['active', 'archive']);
    expect(movedBetween(register({ kind: 'both-ways' }), more(200, 300))).toEqual(['active', 'archive']);
    expect(movedBetween(register(bothWays), [...readings(100), { source: 'archive', boundaryMs: 200, endedAtMs: 300 }])).not.toEqual([]);
  });

  it('between one source and nothing, nothing moves', () => {
    expect(movedBetween(register(bothWays, ['active']), readings(0).slice(0, 1))).toEqual([]);
  });

  /** Where the record is at a moment, when it moves at those. */
  const placeAt = (ms: number, moves: readonly number[], start: number, count: number): number =>
    (start + moves.filter((each) => each <= ms).length) % count;

  // Fails if readings that are called proven miss a record that was in one of the sources all the time.
  it('both ways: a record that moves no more often than the register says is in one of the readings that are proven', () => {
    fc.assert(
      fc.property(
        fc.record({
          count: fc.integer({ min: 2, max: 4 }),
          start: fc.integer({ min: 0, max: 3 }),
          gaps: fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 7, maxLength: 7 }),
          lengths: fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 7, maxLength: 7 }),
          firstMove: fc.integer({ min: 0, max: 300 }),
          least: fc.integer({ min: 1, max: 400 }),
          seenAt: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 7, maxLength: 7 }),
        }),
        ({ count, start, gaps, lengths, firstMove, least, seenAt }) => {
          const names = Array.from({ length: count }, (_, at) => `s${at}`);
          const rule = register({ kind: 'both-ways', leastBetweenMovesMs: least }, names);
          let now = 0;
          const made = [...names, ...readAgain(rule)].map((source, at) => {
            now += gaps[at] ?? 1;
            const boundaryMs = now;
            now += lengths[at] ?? 0;
            return { source, boundaryMs, endedAtMs: now };
          });
          if (movedBetween(rule, made).length > 0) return;
          const moves = [firstMove, firstMove + least, firstMove + 2 * least];
          const isSeen = made.some(({ source, boundaryMs, endedAtMs }, at) => {
            const momentMs = boundaryMs + (endedAtMs - boundaryMs) * (seenAt[at] ?? 0);
            return names[placeAt(momentMs, moves, start, count)] === source;
          });
          expect(isSeen).toBe(true);
        },
      ),
      { numRuns: 3_000 },
    );
  });
});

describe('bothWaysMsMin', () => {
  it('is what the lags of all readings take together', () => {
    const slow = aRegister({ moves: bothWays, sources: [aSource({ name: 'a', lagMaxMs: 10 }), aSource({ name: 'b', lagMaxMs: 5 })] });
    expect(bothWaysMsMin({ ...slow, clockSkewMaxMs: 1 })).toBe(10 + 1 + 5 + 1 + 10 + 1);
    expect(bothWaysMsMin({ ...slow, sources: [aSource({ lagMaxMs: null }), aSource({ name: 'b' })] })).toBeNull();
  });
});
