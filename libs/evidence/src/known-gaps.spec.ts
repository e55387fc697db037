import { describe, expect, it } from 'vitest';
import { aRegister, aRow, at, cleanRead, codesOf, decideOn } from '../test/builders.js';
import type { KnownGap } from './register.js';
import { registerProblems } from './register-check.js';

const aGap = (over: Partial<KnownGap> = {}): KnownGap => ({
  source: 'crm',
  from: at(-60_000),
  to: at(-30_000),
  owner: 'ops',
  reason: 'ingestion stood still',
  ...over,
});
const gapped = (...knownGaps: KnownGap[]) => aRegister({ knownGaps });

describe('a gap that the register declares', () => {
  it('holds, also when it is over: what was not taken in is still missing; fails when a complete read of an incomplete index counts', () => {
    for (const to of [null, at(-30_000)]) {
      expect(codesOf(decideOn(gapped(aGap({ to })), [cleanRead('crm')]))).toEqual(['crm:ingestion-gap-known']);
    }
  });

  it('takes nothing from a match', () => {
    expect(decideOn(gapped(aGap()), [cleanRead('crm', [{ rows: [aRow()] }])]).verdict).toBe('match-review');
  });

  it('is of a source of the register, and begins before it ends', () => {
    const paths = (gap: Partial<KnownGap>) => registerProblems(gapped(aGap(gap))).map(({ path }) => path);
    expect(paths({})).toEqual([]);
    expect(paths({ source: 'crn' })).toEqual(['knownGaps.0.source']);
    expect(paths({ from: 'lately' })).toEqual(['knownGaps.0.from']);
    expect(paths({ to: at(-90_000) })).toEqual(['knownGaps.0.to']);
  });
});
