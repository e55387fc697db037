import type { JobQueue, LeasedJob, Transaction } from '@lacuna/messaging';
import { freshId, freshServiceDatabase, type ServiceDatabase } from '@lacuna/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PostgresJobQueue } from '../src/index.js';
import { type JobEvent, type JobState, jobTable } from './job-lease-machine.js';
import { LeasedJobBench } from './leased-job-bench.js';

let service: ServiceDatabase;
let queue: JobQueue;
beforeAll(async () => {
  service = await freshServiceDatabase('search_runner', [], { poolMax: 4 });
  queue = new PostgresJobQueue(service.database);
});
afterAll(() => service.drop());

const events = Object.keys(jobTable.due) as JobEvent[];
const bench = (jobs: JobQueue) => new LeasedJobBench(service.database, jobs, freshId('queue'), 'job');

/** Each has had two holders, so that there is a zombie beside the holder, or two of them. */
const PASSED: readonly JobEvent[] = ['enqueue', 'lease', 'lease-ends', 'lease'];
const waysTo: Record<JobState, readonly JobEvent[]> = {
  absent: [...PASSED, 'settle'],
  waiting: [...PASSED, 'postpone'],
  due: [...PASSED, 'postpone', 'time-comes'],
  leased: PASSED,
  expired: [...PASSED, 'lease-ends'],
};

/** The holder's and zombies' words count whoever says them: what fencing is for. */
class UnfencedJobQueue extends PostgresJobQueue {
  override async settle(tx: Transaction, job: LeasedJob): Promise<boolean> {
    const mine = [job.queue, job.tenantId, job.key];
    return (await tx.query('delete from job where queue = $1 and tenant_id = $2 and key = $3 returning 1', mine)).length === 1;
  }
}

class Happens implements fc.AsyncCommand<object, LeasedJobBench> {
  constructor(private readonly event: JobEvent) {}
  check = () => true;
  run = async (_model: object, job: LeasedJobBench) => (job.can(this.event) ? job.compare(this.event) : undefined);
  toString = () => this.event;
}

const isAsTheTable = (jobs: () => JobQueue) =>
  fc.asyncProperty(
    fc.commands(
      events.map((event) => fc.constant(new Happens(event))),
      { maxCommands: 40, size: 'max' },
    ),
    async (commands) => fc.asyncModelRun(() => ({ model: {}, real: bench(jobs()) }), commands),
  );

describe('a job of the real queue', () => {
  // Fails if the queue answers, moves, fences or keeps bytes otherwise than the page says, in any cell (J1, J2).
  it.each(Object.keys(jobTable) as JobState[])('does in state %s what the table says of every event', async (state) => {
    for (const event of events) {
      const job = bench(queue);
      for (const step of waysTo[state]) await job.compare(step);
      expect(job.state).toBe(state);
      expect(job.can(event)).toBe(true);
      await job.compare(event);
    }
  });

  // Fails if an old holder's fence fits the job that was made anew under the same key: a control check of a register comes again and again.
  it.each(events.filter((event) => event.startsWith('zombie-')))('is not the earlier job of its key: %s changes nothing', async (event) => {
    const job = bench(queue);
    for (const step of ['enqueue', 'lease', 'settle', 'enqueue', 'lease', event] as const) await job.compare(step);
  });

  // Fails if an order of events leads to another state than the table's: such as a job made anew that an old holder's fence fits again.
  it('does what the table says in any order', async () => {
    await fc.assert(
      isAsTheTable(() => queue),
      { numRuns: 60 },
    );
  });

  // Fails if the model cannot tell a queue without fencing from one with it.
  it('negative control: a queue that settles without a fence is caught by the model', async () => {
    const details = await fc.check(
      isAsTheTable(() => new UnfencedJobQueue(service.database)),
      { numRuns: 200 },
    );
    expect(details.failed).toBe(true);
    expect(String(details.errorInstance)).toMatch(/settle: the table says .*"fenced".* the queue .*"removed"/);
  });
});
