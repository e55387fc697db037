/**
 * Jobs leased with a fence. What becomes of one, in every state: job-lease.SPEC.md.
 *
 * J1 A job is due when `due_at` has passed; a lease moves `due_at` to its own end, so an expired lease makes the job due again.
 * J2 Every lease adds one to the fence; extend, store, postpone and settle change nothing under an older one, nor for an earlier job of the
 *    same key.
 * J3 Time is the database's: lessees with different clocks agree on expiry.
 */
import type { JobQueue, LeasedJob, NewJob, Transaction } from '@lacuna/messaging';
import { InProcessSignal } from './in-process-signal.js';
import { PostgresTransaction, type PostgresDatabase } from './postgres-database.js';

interface JobRow {
  id: string;
  queue: string;
  tenant_id: string;
  key: string;
  payload: Buffer;
  stored: Buffer | null;
  fence: string;
  attempts: number;
  created_at: Date;
}

const enqueued = new InProcessSignal();
const MINE = 'queue = $1 and tenant_id = $2 and key = $3 and fence = $4 and id = $5';

export class PostgresJobQueue implements JobQueue {
  readonly #place: string;

  constructor(database: PostgresDatabase) {
    this.#place = `${database.address}/${database.schema}`;
  }

  async enqueue(tx: Transaction, jobs: readonly NewJob[]): Promise<void> {
    if (jobs.length === 0) return;
    await tx.query(
      `insert into job (queue, tenant_id, key, payload, due_at)
        select * from unnest($1::text[], $2::text[], $3::text[], $4::bytea[], $5::timestamptz[]) as j(queue, tenant_id, key, payload, due_at)
        order by queue, tenant_id, key on conflict do nothing`,
      [
        jobs.map((job) => job.queue),
        jobs.map((job) => job.tenantId),
        jobs.map((job) => job.key),
        jobs.map((job) => job.payload),
        jobs.map((job) => job.availableAt.toISOString()),
      ],
    );
    if (tx instanceof PostgresTransaction) {
      for (const queue of new Set(jobs.map((job) => job.queue))) tx.afterCommit(() => enqueued.raise(`${this.#place}/${queue}`));
    }
  }

  onEnqueued(queue: string, listener: () => void): () => void {
    return enqueued.listen(`${this.#place}/${queue}`, listener);
  }

  async lease(tx: Transaction, queue: string, jobsMax: number, leaseMs: number): Promise<LeasedJob[]> {
    const rows = await tx.query<JobRow>(
      `with due as (
         select tenant_id, key from job where queue = $1 and due_at <= clock_timestamp()
         order by due_at limit $2 for update skip locked
       )
       update job set fence = fence + 1, attempts = attempts + 1,
         due_at = clock_timestamp() + $3 * interval '1 ms', leased_until = clock_timestamp() + $3 * interval '1 ms'
       from due where job.queue = $1 and job.tenant_id = due.tenant_id and job.key = due.key
       returning job.id, job.queue, job.tenant_id, job.key, job.payload, job.stored, job.fence, job.attempts, job.created_at`,
      [queue, jobsMax, leaseMs],
    );
    return rows.map(leasedJob).sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
  }

  extend(tx: Transaction, job: LeasedJob, leaseMs: number): Promise<boolean> {
    const until = `clock_timestamp() + $6 * interval '1 ms'`;
    return changed(tx, `update job set due_at = ${until}, leased_until = ${until} where ${MINE} returning 1`, job, leaseMs);
  }

  store(tx: Transaction, job: LeasedJob, stored: Buffer): Promise<boolean> {
    return changed(tx, `update job set stored = $6 where ${MINE} returning 1`, job, stored);
  }

  postpone(tx: Transaction, job: LeasedJob, availableAt: Date): Promise<boolean> {
    const sql = `update job set due_at = $6::timestamptz, leased_until = null, fence = fence + 1 where ${MINE} returning 1`;
    return changed(tx, sql, job, availableAt.toISOString());
  }

  settle(tx: Transaction, job: LeasedJob): Promise<boolean> {
    return changed(tx, `delete from job where ${MINE} returning 1`, job);
  }

  async cancel(tx: Transaction, queue: string, tenantId: string, key: string): Promise<void> {
    await tx.query(
      `delete from job where queue = $1 and tenant_id = $2 and key = $3 and (leased_until is null or leased_until <= clock_timestamp())`,
      [queue, tenantId, key],
    );
  }
}

async function changed(tx: Transaction, sql: string, job: LeasedJob, ...more: unknown[]): Promise<boolean> {
  const rows = await tx.query(sql, [job.queue, job.tenantId, job.key, String(job.fence), job.id, ...more]);
  return rows.length === 1;
}

function leasedJob(row: JobRow): LeasedJob {
  return {
    id: row.id,
    queue: row.queue,
    tenantId: row.tenant_id,
    key: row.key,
    payload: row.payload,
    stored: row.stored,
    fence: BigInt(row.fence),
    attempts: row.attempts,
    createdAt: row.created_at,
  };
}
