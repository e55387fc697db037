/**
 * The slot of one outside write, from its claim to its settlement. SQL only; `tx` acts for the tenant. Every change names the question and
 * generation that claimed the slot: whoever else holds it by now is left alone.
 */
import type { Transaction } from '@lacuna/messaging';
import type { OutsideJob } from './outside-jobs.js';

export interface ClaimedSlot {
  readonly uses: number;
  /** A send began, and nobody has said what came of it. */
  readonly sentAt: Date | null;
}

const MINE = `tenant_id = $1 and target = $2 and key_digest = $3 and question_id = $4 and generation = $5 and state = 'in-flight'`;

const nameOf = (tenantId: string, { target, keyDigest, questionId, generation }: OutsideJob): readonly unknown[] => [
  tenantId,
  target,
  keyDigest,
  questionId,
  generation,
];

/** Locked; null: it is not this write's any more. */
export async function claimedSlot(tx: Transaction, tenantId: string, job: OutsideJob): Promise<ClaimedSlot | null> {
  const [row] = await tx.query<{ uses: number; sent_at: Date | null }>(
    `select uses, sent_at from slot where ${MINE} for update`,
    nameOf(tenantId, job) as unknown[],
  );
  return row ? { uses: row.uses, sentAt: row.sent_at } : null;
}

/** Before anything is sent: whoever comes after a crash knows that something may have been. */
export async function markSending(tx: Transaction, tenantId: string, job: OutsideJob, sentAt: Date, clearAt: Date): Promise<void> {
  await tx.query(`update slot set sent_at = $6, clear_at = $7 where ${MINE}`, [...nameOf(tenantId, job), sentAt, clearAt]);
}

export async function markNotSent(tx: Transaction, tenantId: string, job: OutsideJob): Promise<void> {
  await tx.query(`update slot set sent_at = null, clear_at = null where ${MINE}`, [...nameOf(tenantId, job)]);
}

/** `clearAt`: from when on the other sources must show the record. */
export async function settleSlot(tx: Transaction, tenantId: string, job: OutsideJob, recordId: string, clearAt: Date): Promise<boolean> {
  return changed(
    tx,
    `update slot set state = 'settled', record_id = $6, clear_at = $7 where ${MINE} returning 1`,
    tenantId,
    job,
    recordId,
    clearAt,
  );
}

/** Nothing expires it: only a receipt that is later than its `clear_at`, or a person, frees it. `arrived`: not even a receipt. */
export async function leaveUnknown(tx: Transaction, tenantId: string, job: OutsideJob, arrived: boolean): Promise<boolean> {
  return changed(tx, `update slot set state = 'unknown', arrived = $6 where ${MINE} returning 1`, tenantId, job, arrived);
}

/** Nothing came of it: the slot is again what it was. A later write has another idempotency key, for the system may repeat its answer to this one. */
export async function freeSlot(tx: Transaction, tenantId: string, job: OutsideJob, now: Date): Promise<boolean> {
  return changed(
    tx,
    `update slot set state = case when record_id is null then 'free' else 'settled' end, sent_at = null,
            clear_at = case when record_id is null then null::timestamptz else $6 end where ${MINE} returning 1`,
    tenantId,
    job,
    now,
  );
}

async function changed(tx: Transaction, sql: string, tenantId: string, job: OutsideJob, ...more: readonly unknown[]): Promise<boolean> {
  return (await tx.query(sql, [...nameOf(tenantId, job), ...more])).length === 1;
}
