/** Questions that want a write, and the stalled deliveries that block them. SQL only; `tx` acts for the tenant. */
import type { DeliveryCleared, QuestionAsked, VerdictReached } from '@lacuna/events';
import type { Transaction } from '@lacuna/messaging';
import type { WantedQuestion } from './write-desk.js';

export async function keepQuestions(tx: Transaction, tenantId: string, asked: readonly QuestionAsked[]): Promise<void> {
  const rows = [...new Map(asked.map((question) => [question.questionId, question])).values()];
  await tx.query(
    `insert into question (tenant_id, question_id, asked)
     select $1, q.question_id, q.asked::json from unnest($2::text[], $3::text[]) as q (question_id, asked) order by q.question_id
     on conflict (tenant_id, question_id) do nothing`,
    [tenantId, rows.map((row) => row.questionId), rows.map((row) => JSON.stringify(row))],
  );
}

const isStalled = `exists (select from stalled_delivery s
  where s.tenant_id = q.tenant_id and s.question_id = q.question_id and not s.cleared)`;

/** Which of these questions are known, and whether a delivery of theirs is stalled. Locks nothing. */
export async function knownQuestions(
  tx: Transaction,
  tenantId: string,
  questionIds: readonly string[],
): Promise<ReadonlyMap<string, { readonly stalled: boolean }>> {
  const rows = await tx.query<{ question_id: string; stalled: boolean }>(
    `select q.question_id, ${isStalled} as stalled
       from question q where q.tenant_id = $1 and q.question_id = any ($2::text[])`,
    [tenantId, [...new Set(questionIds)]],
  );
  return new Map(rows.map((row) => [row.question_id, { stalled: row.stalled }]));
}

/** Until the transaction ends, in one order. */
export async function lockQuestions(tx: Transaction, tenantId: string, questionIds: readonly string[]): Promise<void> {
  await tx.query('select from question where tenant_id = $1 and question_id = any ($2::text[]) order by question_id for update', [
    tenantId,
    [...new Set(questionIds)],
  ]);
}

interface WantedRow {
  readonly question_id: string;
  readonly asked: QuestionAsked;
  readonly newest_generation: number;
  readonly newest_verdict: VerdictReached | null;
  readonly stale_reruns: number;
  readonly stalled: boolean;
}

export async function wantedQuestions(
  tx: Transaction,
  tenantId: string,
  questionIds: readonly string[],
): Promise<ReadonlyMap<string, WantedQuestion>> {
  const rows = await tx.query<WantedRow>(
    `select q.question_id, q.asked, q.newest_generation, q.newest_verdict, q.stale_reruns, ${isStalled} as stalled
       from question q where q.tenant_id = $1 and q.question_id = any ($2::text[])`,
    [tenantId, [...new Set(questionIds)]],
  );
  return new Map(
    rows.map((row) => [
      row.question_id,
      {
        asked: row.asked,
        newestGeneration: row.newest_generation,
        newest: row.newest_verdict,
        staleReruns: row.stale_reruns,
        stalled: row.stalled,
      },
    ]),
  );
}

/** The newest verdict that each has come to. */
export async function keepNewest(tx: Transaction, tenantId: string, questions: ReadonlyMap<string, WantedQuestion>): Promise<void> {
  const known = [...questions].flatMap(([questionId, { newest }]) => (newest ? [{ questionId, newest }] : []));
  if (known.length === 0) return;
  await tx.query(
    `update question q set newest_generation = n.generation, newest_verdict = n.verdict::json
       from unnest($2::text[], $3::int[], $4::text[]) as n (question_id, generation, verdict)
      where q.tenant_id = $1 and q.question_id = n.question_id and q.newest_generation < n.generation`,
    [
      tenantId,
      known.map(({ questionId }) => questionId),
      known.map(({ newest }) => newest.generation),
      known.map(({ newest }) => JSON.stringify(newest)),
    ],
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
