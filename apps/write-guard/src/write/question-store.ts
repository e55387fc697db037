/** Questions that want a write, and the stalled deliveries that block them. SQL only; `tx` acts for the tenant. */
import type { DeliveryCleared, QuestionAsked, VerdictReached } from '@lacuna/events';
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

/** Which of these questions are known, and whether a delivery of theirs is stalled. Locks nothing. */
export async function knownQuestions(
  tx: Transaction,
  tenantId: string,
  questionIds: readonly string[],
): Promise<ReadonlyMap<string, { readonly stalled: boolean }>> {
  const rows = await tx.query<{ question_id: string; stalled: boolean }>(
    `select q.question_id, exists (select from stalled_delivery s
              where s.tenant_id = q.tenant_id and s.question_id = q.question_id and not s.cleared) as stalled
       from question q where q.tenant_id = $1 and q.question_id = any ($2::text[])`,
    [tenantId, [...new Set(questionIds)]],
  );
  return new Map(rows.map((row) => [row.question_id, { stalled: row.stalled }]));
}

type Wanted = Omit<WantedWrite, 'stalled'>;

/** Locks the questions, notes the newest generation of each, and answers what they want. */
export async function lockQuestions(
  tx: Transaction,
  tenantId: string,
  verdicts: readonly VerdictReached[],
): Promise<ReadonlyMap<string, Wanted>> {
  const newest = new Map<string, number>();
  for (const { questionId, generation } of verdicts) newest.set(questionId, Math.max(generation, newest.get(questionId) ?? 0));
  const ids = [...newest.keys()];
  await tx.query('select from question where tenant_id = $1 and question_id = any ($2::text[]) order by question_id for update', [
    tenantId,
    ids,
  ]);
  const rows = await tx.query<{ question_id: string; asked: QuestionAsked; newest_generation: number; stale_reruns: number }>(
    `update question q set newest_generation = greatest(q.newest_generation, n.generation)
       from unnest($2::text[], $3::int[]) as n (question_id, generation)
      where q.tenant_id = $1 and q.question_id = n.question_id
     returning q.question_id, q.asked, q.newest_generation, q.stale_reruns`,
    [tenantId, ids, ids.map((id) => newest.get(id))],
  );
  return new Map(
    rows.map((row) => [row.question_id, { asked: row.asked, newestGeneration: row.newest_generation, staleReruns: row.stale_reruns }]),
  );
}

export async function countStaleReruns(tx: Transaction, tenantId: string, counts: ReadonlyMap<string, number>): Promise<void> {
  if (counts.size === 0) return;
  await tx.query(
    `update question q set stale_reruns = c.count from unnest($2::text[], $3::int[]) as c (question_id, count)
      where q.tenant_id = $1 and q.question_id = c.question_id`,
    [tenantId, [...counts.keys()], [...counts.values()]],
  );
}

type Delivery = Pick<DeliveryCleared, 'questionId' | 'group' | 'message'>;

export async function markStalled(tx: Transaction, tenantId: string, stalled: readonly Delivery[]): Promise<void> {
  await tx.query(`${insertDeliveries(false)} do nothing`, deliveryRows(tenantId, stalled));
}

export async function clearStalled(tx: Transaction, tenantId: string, cleared: readonly Delivery[]): Promise<void> {
  await tx.query(`${insertDeliveries(true)} do update set cleared = true`, deliveryRows(tenantId, cleared));
}

const insertDeliveries = (cleared: boolean): string =>
  `insert into stalled_delivery (tenant_id, question_id, consumer_group, message, cleared)
   select distinct $1, s.question_id, s.consumer_group, s.message, ${cleared}
     from unnest($2::text[], $3::text[], $4::text[]) as s (question_id, consumer_group, message) order by 2, 3, 4
   on conflict (tenant_id, question_id, consumer_group, message)`;

const deliveryRows = (tenantId: string, rows: readonly Delivery[]): readonly unknown[] => [
  tenantId,
  rows.map((row) => row.questionId),
  rows.map((row) => row.group),
  rows.map((row) => row.message),
];
