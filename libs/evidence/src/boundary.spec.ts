import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aRegister, aSource } from '../test/builders.js';
import { boundaryOf, isFresh, oldestOf, waitMs } from './boundary.js';

describe('boundaries', () => {
  it('lie before the first request by the lag and the clock skew, and nowhere without a bounded lag', () => {
    expect(boundaryOf(10_000, 3_000, 1_000)).toBe(6_000);
    expect(boundaryOf(10_000, null, 1_000)).toBeNull();
    expect(boundaryOf(null, 0, 0)).toBeNull();
  });

  it('asOf is the oldest, and unknown as soon as one is: the youngest would claim too much', () => {
    expect(oldestOf([5, 3, 4])).toBe(3);
    expect(oldestOf([5, null, 4])).toBeNull();
    expect(oldestOf([])).toBeNull();
  });

  it('evidence is fresh up to freshnessMs after asOf, and never without asOf', () => {
    expect([isFresh(1_000, 500, 1_500), isFresh(1_000, 500, 1_501), isFresh(null, 500, 0)]).toEqual([true, false, false]);
  });

  it('after waitMs the boundary reaches needsAsOf and the end of the reading before; one millisecond less would not do', () => {
    const times = fc.record({ lag: fc.nat(9_000), needs: fc.nat(9_000), before: fc.option(fc.nat(9_000)), now: fc.nat(9_000) });
    fc.assert(
      fc.property(times, fc.constantFrom('none' as const, 'one-way' as const), ({ lag, needs, before, now }, kind) => {
        const register = aRegister({ moves: { kind } });
        const wait =
          waitMs({ source: aSource({ lagMaxMs: lag }), register, needsAsOfMs: needs, previousEndedAtMs: before, nowMs: now }) ?? -1;
        const target = kind === 'one-way' && before !== null ? Math.max(needs, before) : needs;
        const reaches = (ms: number): boolean => (boundaryOf(now + ms, lag, register.clockSkewMaxMs) ?? -1) >= target;
        return wait >= 0 && reaches(wait) && (wait === 0 || !reaches(wait - 1));
      }),
    );
  });

  it('no wait helps where the lag has no bound', () => {
    expect(
      waitMs({ source: aSource({ lagMaxMs: null }), register: aRegister(), needsAsOfMs: 0, previousEndedAtMs: null, nowMs: 0 }),
    ).toBeNull();
  });
});
