import { PostgresJobQueue } from '@lacuna/postgres';
import { freshId, freshServiceDatabase, type ServiceDatabase } from '@lacuna/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { JobWorker, type JobWorkerOptions } from './job-worker.js';
import type { LeasedJob } from './queue-store.js';

let service: ServiceDatabase;
let jobs: PostgresJobQueue;
let queue: string;
const workers: JobWorker[] = [];
beforeAll(async () => {
  service = await freshServiceDatabase('search_runner', [], { poolMax: 20 });
  jobs = new PostgresJobQueue(service.database);
});
afterAll(() => service.drop());
beforeEach(() => (queue = freshId('queue')));
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
});

function start(run: JobWorkerOptions['run'], changes: Partial<JobWorkerOptions> = {}): JobWorker {
  const worker = new JobWorker({
    database: service.database,
    jobs,
    queue,
    run,
    clock: { now: () => new Date() },
    logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
    retryDelayMs: 10,
    ...changes,
  });
  workers.push(worker);
  worker.start();
  return worker;
}
const enqueue = (...keys: string[]) =>
  service.database.transaction((tx) =>
    jobs.enqueue(
      tx,
      keys.map((key) => ({ queue, tenantId: 'acme', key, payload: Buffer.alloc(0), availableAt: new Date(0) })),
    ),
  );
const settle = (job: LeasedJob) => service.database.transaction((tx) => jobs.settle(tx, job));
const left = () => service.database.query<{ key: string }>('select key from job where queue = $1', [queue]);
const until = async (isSo: () => boolean | Promise<boolean>, elapsedMsMax = 10_000) => {
  for (const endsAt = Date.now() + elapsedMsMax; !(await isSo());) {
    if (Date.now() > endsAt) throw new Error(`not within ${elapsedMsMax} ms`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('the job worker', () => {
  it('runs each job once, so many at a time at most', async () => {
    await enqueue(...Array.from({ length: 20 }, (_, index) => `job-${index}`));
    const ran: string[] = [];
    let [now, most] = [0, 0];
    start(
      async (job) => {
        most = Math.max(most, (now += 1));
        ran.push(job.key);
        await sleep(5);
        await settle(job);
        now -= 1;
      },
      { concurrencyMax: 3 },
    );
    await until(async () => (await left()).length === 0);
    expect(new Set(ran).size).toBe(20);
    expect(ran).toHaveLength(20);
    expect(most).toBe(3);
  });

  it('takes a job that is enqueued in this process at once, although it is idle', async () => {
    let takenAt = 0;
    start(
      async (job) => {
        takenAt = performance.now();
        await settle(job);
      },
      { idleDelayMs: 60_000, idleDelayMsMax: 60_000 },
    );
    await sleep(50);
    const beganAt = performance.now();
    await enqueue('a');
    await until(() => takenAt > 0);
    expect(takenAt - beganAt).toBeLessThan(1_000);
  });

  it('finds a job that nobody woke it for', async () => {
    let ran = 0;
    start(
      async (job) => {
        ran += 1;
        await settle(job);
      },
      { idleDelayMsMax: 100 },
    );
    await service.database.query(
      `insert into search_runner.job (queue, tenant_id, key, payload, due_at) values ($1, 'acme', 'a', '', now())`,
      [queue],
    );
    await until(() => ran === 1);
  });

  it('keeps a lease by heartbeats while a job runs longer than it', async () => {
    await enqueue('a');
    let runs = 0;
    const run = async (job: LeasedJob) => {
      runs += 1;
      await sleep(600);
      await settle(job);
    };
    start(run, { leaseMs: 150 });
    start(run, { leaseMs: 150 });
    await until(async () => (await left()).length === 0);
    expect(runs).toBe(1);
  });

  it('tells a holder that was passed, by signal and on asking: it must end without a trace (W2)', async () => {
    await enqueue('a');
    const seen: { aborted: boolean; mine: boolean; settled: boolean }[] = [];
    start(
      async (job, lease) => {
        await service.database.query('update job set fence = fence + 1, due_at = now() + interval $$1 hour$$ where queue = $1', [queue]);
        await until(() => lease.signal.aborted);
        seen.push({ aborted: lease.signal.aborted, mine: await lease.stillMine(), settled: await settle(job) });
      },
      { leaseMs: 90 },
    );
    await until(() => seen.length === 1);
    expect(seen).toEqual([{ aborted: true, mine: false, settled: false }]);
    expect(await left()).toHaveLength(1);
  });

  it('says how long the lease lasts, and a renewal lengthens it', async () => {
    await enqueue('a');
    const remaining: number[] = [];
    start(
      async (job, lease) => {
        await sleep(50);
        remaining.push(lease.remainingMs());
        await lease.stillMine();
        remaining.push(lease.remainingMs());
        await settle(job);
      },
      { leaseMs: 10_000 },
    );
    await until(async () => (await left()).length === 0);
    expect(remaining[0]).toBeLessThan(9_960);
    expect(remaining[1]).toBeGreaterThan(remaining[0] ?? 0);
  });

  it('tries a failing job again, later, and does not drop it (W3)', async () => {
    await enqueue('a');
    const attempts: number[] = [];
    start(async (job) => {
      attempts.push(job.attempts);
      if (attempts.length < 4) throw new Error('not yet');
      await settle(job);
    });
    await until(async () => (await left()).length === 0);
    expect(attempts).toEqual([1, 2, 3, 4]);
  });

  it('goes on when the database was away for a moment', async () => {
    let fails = 2;
    const flaky = {
      ping: () => service.database.ping(),
      transaction: <T>(work: Parameters<typeof service.database.transaction<T>>[0]) => {
        if (fails-- > 0) throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
        return service.database.transaction(work);
      },
    };
    await enqueue('a');
    start((job) => settle(job).then(() => undefined), { database: flaky as JobWorkerOptions['database'] });
    await until(async () => (await left()).length === 0);
  });

  it('begins no job that it leased while it was told to stop: nobody would end it (W4)', async () => {
    await enqueue('a');
    let ran = 0;
    let leased: () => void = () => undefined;
    const leasing = new Promise<void>((resolve) => (leased = resolve));
    const slow = Object.create(jobs, {
      lease: {
        value: async (...given: Parameters<PostgresJobQueue['lease']>) => {
          const taken = await jobs.lease(...given);
          leased();
          await sleep(50);
          return taken;
        },
      },
    }) as PostgresJobQueue;
    slow.onEnqueued = () => () => undefined;
    const worker = start(async () => void (ran += 1), { jobs: slow });
    await leasing;
    await worker.stop();
    expect(ran).toBe(0);
    const [job] = await service.database.transaction((tx) => jobs.lease(tx, queue, 1, 1_000));
    expect(job?.key).toBe('a');
  });

  it('gives its jobs back at once when it stops: a successor need not wait for the lease (W4)', async () => {
    await enqueue('a');
    let holding = false;
    const first = start(async (_job, lease) => {
      holding = true;
      await new Promise((_resolve, reject) => lease.signal.addEventListener('abort', () => reject(lease.signal.reason as Error)));
    });
    await until(() => holding);
    await first.stop();
    let taken = 0;
    start(async (job) => {
      taken = job.attempts;
      await settle(job);
    });
    await until(() => taken > 1, 5_000);
  });
});
