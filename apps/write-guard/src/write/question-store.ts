/** Questions that want a write, verdicts that wait for them, and deliveries that block them. SQL only; `tx` acts for the tenant. */
import type { DeliveryStalled, QuestionAsked, VerdictReached } from '@lacuna/events';
import type { Transaction } from '@lacuna/messaging';
import type { WantedWrite } from './judge-write.js';

export async function keepQuestions(tx: Transaction, tenantId: string, asked: readonly QuestionAsked[]): Promise<void> {
  const rows = [...new Map(asked.map((question) => [question.questionId, question])).values()];
  await tx.query(
    `insert into question (tenant_id, question_id, asked)
     select $1, q.question_id, q.asked::json from unnest($2::text[], $3::text[]) as q (question_id, asked) order by q.question_id
     on conflict (tenant_id, question_id) do nothing`,
    [tenantId, rows.map((row) => row.questionId), rows.map((row) => JSON.stringify(row))],
  );
}

/** Locks the questions, notes the newest generation of each, and answers what is known of them. */
export async function wantedWrites(
  tx: Transaction,
  tenantId: string,
  verdicts: readonly VerdictReached[],
): Promise<ReadonlyMap<string, WantedWrite>> {
  const newest = new Map<string, number>();
  for (const { questionId, generation } of verdicts) newest.set(questionId, Math.max(generation, newest.get(questionId) ?? 0));
  const ids = [...newest.keys()].sort();
  await tx.query('select from question where tenant_id = $1 and question_id = any ($2::text[]) order by question_id for update', [
    tenantId,
    ids,
  ]);
  const rows = await tx.query<{
    question_id: string;
    asked: QuestionAsked;
    newest_generation: number;
    stale_reruns: number;
    stalled: boolean;
  }>(
    `update question q set newest_generation = greatest(q.newest_generation, n.generation)
       from unnest($2::text[], $3::int[]) as n (question_id, generation)
      where q.tenant_id = $1 and q.question_id = n.question_id
     returning q.question_id, q.asked, q.newest_generation, q.stale_reruns,
       exists (select from stalled_delivery s where s.tenant_id = q.tenant_id and s.question_id = q.question_id) as stalled`,
    [tenantId, ids, ids.map((id) => newest.get(id))],
  );
  return new Map(
    rows.map((row) => [
      row.question_id,
      { asked: row.asked, newestGeneration: row.newest_generation, staleReruns: row.stale_reruns, stalled: row.stalled },
    ]),
  );
}

export async function countStaleReruns(tx: Transaction, tenantId: string, counts: ReadonlyMap<string, number>): Promise<void> {
  await tx.query(
    `update question q set stale_reruns = c.count from unnest($2::text[], $3::int[]) as c (question_id, count)
      where q.tenant_id = $1 and q.question_id = c.question_id`,
    [tenantId, [...counts.keys()], [...counts.values()]],
  );
}

/** Keeps verdicts whose question or register has not arrived yet. */
export async function letWait(tx: Transaction, tenantId: string, verdicts: readonly VerdictReached[], now: Date): Promise<void> {
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

/** Takes the verdicts that waited for one of these questions or register versions, oldest generation first. */
export async function takeWaiting(
  tx: Transaction,
  tenantId: string,
  arrived: { readonly questionIds: readonly string[]; readonly registerHashes: readonly string[] },
): Promise<VerdictReached[]> {
  const rows = await tx.query<{ verdict: VerdictReached }>(
    `with taken as (
       delete from waiting_verdict where tenant_id = $1 and (question_id = any ($2::text[]) or register_hash = any ($3::text[]))
       returning question_id, generation, verdict)
     select verdict from taken order by question_id, generation`,
    [tenantId, arrived.questionIds, arrived.registerHashes],
  );
  return rows.map((row) => row.verdict);
}

export async function markStalled(tx: Transaction, tenantId: string, stalled: readonly DeliveryStalled[]): Promise<void> {
  await tx.query(
    `insert into stalled_delivery (tenant_id, question_id, consumer_group, message)
     select $1, s.question_id, s.consumer_group, s.message from unnest($2::text[], $3::text[], $4::text[]) as s (question_id, consumer_group, message)
     on conflict do nothing`,
    [tenantId, stalled.map((row) => row.questionId), stalled.map((row) => row.group), stalled.map((row) => row.message)],
  );
}

export async function clearStalled(tx: Transaction, tenantId: string, cleared: readonly Omit<DeliveryStalled, 'reason'>[]): Promise<void> {
  await tx.query(
    `delete from stalled_delivery s using unnest($2::text[], $3::text[], $4::text[]) as c (question_id, consumer_group, message)
      where s.tenant_id = $1 and s.question_id = c.question_id and s.consumer_group = c.consumer_group and s.message = c.message`,
    [tenantId, cleared.map((row) => row.questionId), cleared.map((row) => row.group), cleared.map((row) => row.message)],
  );
}
