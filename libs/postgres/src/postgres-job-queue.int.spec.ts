import type { LeasedJob, NewJob } from '@lacuna/messaging';
import { freshId, freshServiceDatabase, type ServiceDatabase } from '@lacuna/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PostgresJobQueue } from './postgres-job-queue.js';

const LEASE_MS = 60_000;
const DUE = new Date(0);

let service: ServiceDatabase;
let jobs: PostgresJobQueue;
let queue: string;
beforeAll(async () => {
  service = await freshServiceDatabase('search_runner', [], { poolMax: 20 });
  jobs = new PostgresJobQueue(service.database);
});
afterAll(() => service.drop());
beforeEach(() => (queue = freshId('queue')));

const inTransaction = <T>(work: Parameters<typeof service.database.transaction<T>>[0]) => service.database.transaction(work);
const aJob = (key: string, changes: Partial<NewJob> = {}): NewJob => ({
  queue,
  tenantId: 'acme',
  key,
  payload: Buffer.from([0, 255]),
  availableAt: DUE,
  ...changes,
});
const enqueue = (...added: NewJob[]) => inTransaction((tx) => jobs.enqueue(tx, added));
const lease = (max = 10, leaseMs = LEASE_MS) => inTransaction((tx) => jobs.lease(tx, queue, max, leaseMs));
const leaseOne = async (leaseMs = LEASE_MS): Promise<LeasedJob> => {
  const [job] = await lease(1, leaseMs);
  if (!job) throw new Error('no job was due');
  return job;
};

describe('the job queue', () => {
  it('drops a job that is there already, also within one call: a repeated event makes no second job', async () => {
    await enqueue(aJob('a'), aJob('a'), aJob('b'));
    await enqueue(aJob('a', { payload: Buffer.from('other') }));
    const leased = await lease();
    expect(leased.map((job) => [job.key, job.payload.toString('hex')])).toEqual([
      ['a', '00ff'],
      ['b', '00ff'],
    ]);
  });

  it('gives each due job to one of many workers', async () => {
    await enqueue(...Array.from({ length: 200 }, (_, index) => aJob(`job-${index}`)));
    const leased = await Promise.all(Array.from({ length: 16 }, () => lease(20)));
    const keys = leased.flat().map((job) => job.key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.length + (await lease(200)).length).toBe(200);
  });

  it('waits for the time of a job, and gives the oldest first', async () => {
    await enqueue(
      aJob('later', { availableAt: new Date(Date.now() + 60_000) }),
      aJob('new', { availableAt: new Date(1_000) }),
      aJob('old'),
    );
    expect((await leaseOne()).key).toBe('old');
    expect((await lease()).map((job) => job.key)).toEqual(['new']);
  });

  it('gives a job whose lease ended to another, under a higher fence; the first holder changes nothing any more (J2)', async () => {
    await enqueue(aJob('a'));
    const first = await leaseOne(1);
    await new Promise((resolve) => setTimeout(resolve, 10));
    const second = await leaseOne();
    expect([first.fence, second.fence, second.attempts]).toEqual([1n, 2n, 2]);
    const stale = await inTransaction(async (tx) => [
      await jobs.extend(tx, first, LEASE_MS),
      await jobs.store(tx, first, Buffer.from('x')),
      await jobs.postpone(tx, first, DUE),
      await jobs.settle(tx, first),
    ]);
    expect(stale).toEqual([false, false, false, false]);
    expect(await inTransaction((tx) => jobs.settle(tx, second))).toBe(true);
    expect(await lease()).toEqual([]);
  });

  it('keeps stored bytes for the next holder', async () => {
    await enqueue(aJob('a'));
    const first = await leaseOne();
    expect(first.stored).toBeNull();
    expect(await inTransaction((tx) => jobs.store(tx, first, Buffer.from([0, 1, 255])))).toBe(true);
    await inTransaction((tx) => jobs.postpone(tx, first, DUE));
    expect((await leaseOne()).stored).toEqual(Buffer.from([0, 1, 255]));
  });

  it('fences its holder when it is given back: what it does after that is nothing', async () => {
    await enqueue(aJob('a'));
    const job = await leaseOne();
    await inTransaction((tx) => jobs.postpone(tx, job, new Date(Date.now() + 60_000)));
    expect(await inTransaction((tx) => jobs.settle(tx, job))).toBe(false);
    expect(await lease()).toEqual([]);
  });

  it('extends a lease in time', async () => {
    await enqueue(aJob('a'));
    const job = await leaseOne(30);
    expect(await inTransaction((tx) => jobs.extend(tx, job, LEASE_MS))).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await lease()).toEqual([]);
  });

  it('cancels a job that nobody holds, and leaves a held one to its holder', async () => {
    await enqueue(aJob('held'), aJob('free'));
    const held = await leaseOne();
    const free = held.key === 'held' ? 'free' : 'held';
    await inTransaction(async (tx) => {
      await jobs.cancel(tx, queue, 'acme', held.key);
      await jobs.cancel(tx, queue, 'acme', free);
    });
    expect(await lease()).toEqual([]);
    expect(await inTransaction((tx) => jobs.settle(tx, held))).toBe(true);
  });

  it('wakes workers of this process after the commit, not after a rollback', async () => {
    let wakes = 0;
    const end = jobs.onEnqueued(queue, () => (wakes += 1));
    await inTransaction(async (tx) => {
      await jobs.enqueue(tx, [aJob('rolled-back')]);
      throw new Error('no');
    }).catch(() => undefined);
    expect(wakes).toBe(0);
    await enqueue(aJob('kept'));
    expect(wakes).toBe(1);
    end();
    await enqueue(aJob('unheard'));
    expect(wakes).toBe(1);
  });
});
