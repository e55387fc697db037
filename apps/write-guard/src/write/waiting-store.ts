/**
 * Verdicts that wait for what other topics bring: their question, their register, the clearing of a stalled delivery. SQL only; `tx` acts
 * for the tenant.
 *
 * What arrives and what waits meet at the tenant's gate. Arrivals pass it side by side and hold it until they commit. A verdict that is
 * about to wait closes it and looks again: by then each arrival is either visible, or comes later and sees the verdict waiting. Without
 * it, a verdict and its question in two transactions miss one another, and the verdict waits for ever.
 *
 * Locks are taken in the order gate, waiting verdicts, questions, authorisations, slots.
 */
import type { VerdictReached } from '@lacuna/events';
import type { Transaction } from '@lacuna/messaging';

const gateOf = (tenantId: string): string => `write-guard gate of ${tenantId}`;

/** Before an arrival is written. */
export async function passGate(tx: Transaction, tenantId: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock_shared(hashtextextended($1, 0))', [gateOf(tenantId)]);
}

/** Before what has arrived is read for the last time. */
export async function closeGate(tx: Transaction, tenantId: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [gateOf(tenantId)]);
}

export async function letWait(tx: Transaction, tenantId: string, verdicts: readonly VerdictReached[], now: Date): Promise<void> {
  if (verdicts.length === 0) return;
  await tx.query(
    `insert into waiting_verdict (tenant_id, question_id, generation, register_hash, verdict, waits_since)
     select $1, w.question_id, w.generation, w.register_hash, w.verdict::json, $6
       from unnest($2::text[], $3::int[], $4::text[], $5::text[]) as w (question_id, generation, register_hash, verdict)
     on conflict (tenant_id, question_id, generation) do nothing`,
    [
      tenantId,
      verdicts.map((verdict) => verdict.questionId),
      verdicts.map((verdict) => verdict.generation),
      verdicts.map((verdict) => verdict.registerHash),
      verdicts.map((verdict) => JSON.stringify(verdict)),
      now,
    ],
  );
}

export interface Arrival {
  readonly questionIds?: readonly string[];
  readonly registerHashes?: readonly string[];
}

/** Locks the verdicts that wait for one of these, oldest generation first. They stay until `endWaiting`. */
export async function lockWaiting(tx: Transaction, tenantId: string, arrival: Arrival): Promise<VerdictReached[]> {
  const rows = await tx.query<{ verdict: VerdictReached }>(
    `select verdict from waiting_verdict
      where tenant_id = $1 and (question_id = any ($2::text[]) or register_hash = any ($3::text[]))
      order by question_id, generation for update`,
    [tenantId, arrival.questionIds ?? [], arrival.registerHashes ?? []],
  );
  return rows.map((row) => row.verdict);
}

export async function endWaiting(tx: Transaction, tenantId: string, verdicts: readonly VerdictReached[]): Promise<void> {
  if (verdicts.length === 0) return;
  await tx.query(
    `delete from waiting_verdict w using unnest($2::text[], $3::int[]) as e (question_id, generation)
      where w.tenant_id = $1 and w.question_id = e.question_id and w.generation = e.generation`,
    [tenantId, verdicts.map((verdict) => verdict.questionId), verdicts.map((verdict) => verdict.generation)],
  );
}
