/** Which generations have ended, which are decided and which still wait for their register. SQL only. */
import type { Transaction } from '@lacuna/messaging';
import type { GenerationKey } from './evidence-store.js';

export interface EndedGeneration extends GenerationKey {
  readonly registerHash: string;
  readonly endedAt: string;
}

export interface DecidedGeneration extends GenerationKey {
  readonly verdict: string;
  readonly receiptId: string;
  readonly decidedAt: string;
}

/** Records ends; answers the generations that had none before. Only a generation's first end counts. */
export async function recordEnds(tx: Transaction, tenantId: string, ended: readonly EndedGeneration[]): Promise<GenerationKey[]> {
  const rows = await tx.query<{ question_id: string; generation: number }>(
    `insert into generation (tenant_id, question_id, generation, register_hash, ended_at)
     select $1, e.question_id, e.generation, e.register_hash, e.ended_at::timestamptz
       from unnest($2::text[], $3::int[], $4::text[], $5::text[]) as e (question_id, generation, register_hash, ended_at)
      order by e.question_id, e.generation
     on conflict (tenant_id, question_id, generation) do nothing returning question_id, generation`,
    [
      tenantId,
      ended.map((end) => end.questionId),
      ended.map((end) => end.generation),
      ended.map((end) => end.registerHash),
      ended.map((end) => end.endedAt),
    ],
  );
  return rows.map((row) => ({ questionId: row.question_id, generation: row.generation }));
}

export async function recordVerdicts(tx: Transaction, tenantId: string, decided: readonly DecidedGeneration[]): Promise<void> {
  await tx.query(
    `update generation g set verdict = d.verdict, receipt_id = d.receipt_id, decided_at = d.decided_at::timestamptz
       from unnest($2::text[], $3::int[], $4::text[], $5::text[], $6::text[]) as d (question_id, generation, verdict, receipt_id, decided_at)
      where g.tenant_id = $1 and g.question_id = d.question_id and g.generation = d.generation`,
    [
      tenantId,
      decided.map((row) => row.questionId),
      decided.map((row) => row.generation),
      decided.map((row) => row.verdict),
      decided.map((row) => row.receiptId),
      decided.map((row) => row.decidedAt),
    ],
  );
}

/** Which of these register versions generations wait for. */
export async function awaitedHashes(tx: Transaction, tenantId: string, registerHashes: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ register_hash: string }>(
    `select distinct register_hash from generation
      where tenant_id = $1 and decided_at is null and register_hash = any ($2::text[]) order by register_hash`,
    [tenantId, registerHashes],
  );
  return rows.map((row) => row.register_hash);
}

/** Ended generations that wait for this register version, oldest first. Locked; what another transaction decides is not waited for. */
export async function waitingFor(
  tx: Transaction,
  tenantId: string,
  registerHash: string,
  generationsMax: number,
): Promise<GenerationKey[]> {
  const rows = await tx.query<{ question_id: string; generation: number }>(
    `select question_id, generation from generation
      where tenant_id = $1 and decided_at is null and register_hash = $2
      order by ended_at, question_id, generation limit $3 for update skip locked`,
    [tenantId, registerHash, generationsMax],
  );
  return rows.map((row) => ({ questionId: row.question_id, generation: row.generation }));
}

/** It cannot be decided: it waits no longer, and has no verdict. */
export async function recordStalled(tx: Transaction, tenantId: string, key: GenerationKey, at: string): Promise<void> {
  await tx.query('update generation set decided_at = $4 where tenant_id = $1 and question_id = $2 and generation = $3', [
    tenantId,
    key.questionId,
    key.generation,
    at,
  ]);
}
