/** One rate for all processes, on PostgreSQL. */
import { FlexibleRateLimiter, type RateLimiter } from '@lacuna/connectors';
import { openDatabase } from '@lacuna/postgres';
import { freshId, freshServiceDatabase, type ServiceDatabase } from '@lacuna/testing';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { searchRunner } from '../src/index.js';
import { sharedRateLimiter } from '../src/rates/shared-rate-limiter.js';

const RATE = { requests: 5, perMs: 60_000 };

let fresh: ServiceDatabase;
let other: Awaited<ReturnType<typeof openDatabase>>;
beforeAll(async () => {
  fresh = await freshServiceDatabase('search_runner', searchRunner.migrations);
  other = await openDatabase({ url: fresh.url, schema: 'search_runner', applicationName: 'another process', poolMax: 2 });
});
afterAll(async () => {
  await other.close();
  await fresh.drop();
});

/** Requests that may go at once when each of two processes asks six times, in turn. */
async function taken(processes: readonly RateLimiter[], key: string): Promise<number> {
  const waits: number[] = [];
  for (let at = 0; at < 6; at += 1) for (const process of processes) waits.push(await process.take(key, RATE.requests, RATE.perMs));
  return waits.filter((waitMs) => waitMs === 0).length;
}

describe('the rate of a source', () => {
  it('is one for two processes; fails when each counts for itself, as the control does', async () => {
    expect(await taken([sharedRateLimiter(fresh.database), sharedRateLimiter(other)], freshId('key'))).toBe(RATE.requests);
    const own = () => new FlexibleRateLimiter((settings) => new RateLimiterMemory(settings));
    expect(await taken([own(), own()], freshId('key'))).toBe(2 * RATE.requests);
  });

  it('is one per key, however long the key is, and says how long to wait', async () => {
    const limiter = sharedRateLimiter(fresh.database);
    const [one, two] = [`${'k'.repeat(400)}1`, `${'k'.repeat(400)}2`];
    expect([await taken([limiter], one), await taken([limiter], two)]).toEqual([5, 5]);
    const waitMs = await limiter.take(one, RATE.requests, RATE.perMs);
    expect([waitMs > 0, waitMs <= RATE.perMs]).toEqual([true, true]);
  });

  it('is counted by each process for itself while the database is away: a search goes on', async () => {
    const away = { transaction: () => Promise.reject(new Error('the database is away')), ping: () => Promise.resolve() };
    expect(await taken([sharedRateLimiter(away)], freshId('key'))).toBe(RATE.requests);
  });
});
