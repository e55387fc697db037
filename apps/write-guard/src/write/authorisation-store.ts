/** Authorisations, permits and answers. SQL only; `tx` acts for the tenant. */
import type { Transaction } from '@lacuna/messaging';
import type { GrantedWrite, Settlement } from './write-answers.js';

export async function grant(tx: Transaction, tenantId: string, writes: readonly GrantedWrite[], now: Date): Promise<void> {
  if (writes.length === 0) return;
  await tx.query(
    `insert into authorisation (tenant_id, authorisation_id, question_id, policy, target, key_digest, payload_hash, state, expires_at, created_at)
     select $1, a.authorisation_id, a.question_id, 'auto', a.target, a.key_digest, a.payload_hash, 'used', a.expires_at, $8
       from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz[])
         as a (authorisation_id, question_id, target, key_digest, payload_hash, expires_at)`,
    [
      tenantId,
      writes.map((write) => write.authorisationId),
      writes.map((write) => write.questionId),
      writes.map((write) => write.target),
      writes.map((write) => write.keyDigest),
      writes.map((write) => write.payloadHash),
      writes.map((write) => write.expiresAt),
      now,
    ],
  );
  await tx.query(
    `insert into permit (tenant_id, permit_id, authorisation_id, question_id, generation, receipt_hash, granted_at)
     select $1, p.permit_id, p.authorisation_id, p.question_id, p.generation, p.receipt_hash, $7
       from unnest($2::text[], $3::text[], $4::text[], $5::int[], $6::text[]) as p (permit_id, authorisation_id, question_id, generation, receipt_hash)`,
    [
      tenantId,
      writes.map((write) => write.permitId),
      writes.map((write) => write.authorisationId),
      writes.map((write) => write.questionId),
      writes.map((write) => write.generation),
      writes.map((write) => write.receiptHash),
      now,
    ],
  );
}

const answerKey = (row: { readonly questionId: string; readonly generation: number }) => JSON.stringify([row.questionId, row.generation]);

/** Those of the verdicts that have no answer yet, each once: a repetition is not answered twice (W4). The questions are locked. */
export async function unanswered<V extends { readonly questionId: string; readonly generation: number }>(
  tx: Transaction,
  tenantId: string,
  verdicts: readonly V[],
): Promise<V[]> {
  const once = [...new Map(verdicts.map((verdict) => [answerKey(verdict), verdict])).values()];
  const rows = await tx.query<{ question_id: string; generation: number }>(
    `select a.question_id, a.generation from answer a
       join unnest($2::text[], $3::int[]) as k (question_id, generation) using (question_id, generation) where a.tenant_id = $1`,
    [tenantId, once.map((verdict) => verdict.questionId), once.map((verdict) => verdict.generation)],
  );
  const answered = new Set(rows.map((row) => answerKey({ questionId: row.question_id, generation: row.generation })));
  return once.filter((verdict) => !answered.has(answerKey(verdict)));
}

export async function keepAnswers(tx: Transaction, tenantId: string, settlements: readonly Settlement[], now: Date): Promise<void> {
  if (settlements.length === 0) return;
  await tx.query(
    `insert into answer (tenant_id, question_id, generation, answer, record_id, reason, at)
     select $1, a.question_id, a.generation, a.answer, a.record_id, a.reason, $7
       from unnest($2::text[], $3::int[], $4::text[], $5::text[], $6::text[]) as a (question_id, generation, answer, record_id, reason)`,
    [
      tenantId,
      settlements.map((settlement) => settlement.questionId),
      settlements.map((settlement) => settlement.generation),
      settlements.map((settlement) => settlement.answer),
      settlements.map((settlement) => settlement.recordId),
      settlements.map((settlement) => settlement.reason),
      now,
    ],
  );
}
