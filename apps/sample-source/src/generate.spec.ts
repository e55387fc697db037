import { describe, expect, it } from 'vitest';
import { generateSample } from './generate.js';

const sample = generateSample({ rows: 20_000, seed: 7 });

function sizes(): Map<string, number> {
  const counts = new Map<string, number>(sample.accounts.map((account) => [account, 0]));
  for (const { account } of sample.requests) counts.set(account, (counts.get(account) ?? NaN) + 1);
  return counts;
}

describe('the generated sample', () => {
  it('is the same for the same seed and rows; fails when anything but the seed is drawn from', () => {
    expect(generateSample({ rows: 20_000, seed: 7 })).toEqual(sample);
  });

  it('is another for another seed; fails when the seed is dropped on the way', () => {
    expect(generateSample({ rows: 20_000, seed: 8 }).requests.slice(0, 50)).not.toEqual(sample.requests.slice(0, 50));
  });

  it('has exactly the rows asked for under distinct ids in order; fails when the last account overshoots', () => {
    const ids = sample.requests.map(({ id }) => id);
    expect(ids[0]).toBe('SR-0000001');
    expect(new Set(ids).size).toBe(20_000);
    expect([...ids].sort()).toEqual(ids);
    expect([1, 500, 999].map((rows) => generateSample({ rows, seed: 1 }).requests.length)).toEqual([1, 500, 999]);
  });

  it('has accounts with none, with one and with exactly 500 requests and none with more; fails when the sizes drift', () => {
    const counts = [...sizes().values()];
    expect(counts).not.toContain(NaN);
    expect(Math.max(...counts)).toBe(500);
    expect(counts.filter((count) => count === 500).length).toBeGreaterThanOrEqual(4);
    expect(counts.filter((count) => count === 1).length).toBeGreaterThan(0);
    expect(counts.filter((count) => count === 0).length).toBeGreaterThanOrEqual(20);
  });

  it('spreads an account over the ids; fails when a page by id would hold one account only', () => {
    const full = [...sizes()].find(([, count]) => count === 500)?.[0];
    const positions = sample.requests.flatMap(({ account }, index) => (account === full ? [index] : []));
    expect((positions.at(-1) ?? 0) - (positions[0] ?? 0)).toBeGreaterThan(15_000);
  });

  it('merges only into another unmerged request of the same account; fails when a chain or a circle can arise', () => {
    const byId = new Map(sample.requests.map((request) => [request.id, request]));
    const merged = sample.requests.filter(({ status }) => status === 'merged');
    expect(merged.length).toBeGreaterThan(100);
    for (const { account, mergedInto } of merged) {
      const target = byId.get(mergedInto ?? '');
      expect(target).toMatchObject({ account });
      expect(target?.status).not.toBe('merged');
    }
    expect(sample.requests.filter(({ status, mergedInto }) => status !== 'merged' && mergedInto !== null)).toEqual([]);
  });

  it('writes no reference as blanks only, and a tenth of them outside ASCII; fails when odd spellings are lost', () => {
    const references = sample.requests.map(({ reference }) => reference);
    expect(references.filter((reference) => !/[\p{L}\p{N}]/u.test(reference))).toEqual([]);
    const odd = references.filter((reference) => /[^\x20-\x7e]/.test(reference)).length;
    expect(odd / references.length).toBeGreaterThan(0.08);
    expect(odd / references.length).toBeLessThan(0.15);
  });
});
