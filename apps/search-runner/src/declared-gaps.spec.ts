import { type EncodedEvent } from '@lacuna/events';
import type { KnownGap } from '@lacuna/evidence';
import { afterNoon, aRegisterPublished } from '@lacuna/testing';
import { describe, expect, it } from 'vitest';
import { gapEvents } from './declared-gaps.js';

const gap = (source: string, from: string, to: string | null = null): KnownGap => ({
  source,
  from,
  to,
  owner: 'ops',
  reason: 'stood still',
});
const [one, two] = [gap('ledger', afterNoon(0)), gap('index', afterNoon(5))];
const told = (now: readonly KnownGap[], before: readonly KnownGap[] = []) =>
  gapEvents({ ...aRegisterPublished({ tenantId: 't1' }), register: { knownGaps: now } }, before).map(
    ({ headers, value, key }: EncodedEvent) =>
      [String(headers['ce_type']).replace('lacuna.ingestion.', ''), JSON.parse(String(value)) as object, String(key)] as const,
  );

describe('what a register says of gaps', () => {
  it('is told once: of a new version only what the one before did not say', () => {
    expect(told([one, two]).map(([type]) => type)).toEqual(['gap-found', 'gap-found']);
    expect(told([one, two], [one])).toMatchObject([
      ['gap-found', { source: 'index', from: two.from, to: null, origin: 'declared' }, expect.any(String)],
    ]);
    expect(told([one], [one])).toEqual([]);
  });

  it('is told again when its end is known now, and closed when it is not said any more', () => {
    expect(told([gap('ledger', one.from, afterNoon(9))], [one])).toMatchObject([['gap-found', { to: afterNoon(9) }, expect.any(String)]]);
    expect(told([], [one])).toMatchObject([['gap-closed', { source: 'ledger', from: one.from, backfilled: true }, expect.any(String)]]);
  });

  it('has a key per gap: fails when the compacted topic keeps one gap of a register only', () => {
    expect(new Set(told([one, two]).map(([, , key]) => key)).size).toBe(2);
    expect(told([], [one])[0]?.[2]).toBe(told([one])[0]?.[2]);
  });
});
