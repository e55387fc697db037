/** Case files, automatic reruns and what is known of questions. SQL only; `tx` acts for the tenant. */
import type { CaseOpened, QuestionAsked } from '@lacuna/events';
import type { Transaction } from '@lacuna/messaging';

/** Answers the cases that were not open before. */
export async function openCases(tx: Transaction, tenantId: string, opened: readonly CaseOpened[]): Promise<CaseOpened[]> {
  const once = [...new Map(opened.map((one) => [one.caseId, one])).values()];
  if (once.length === 0) return [];
  const rows = await tx.query<{ case_id: string }>(
    `insert into case_file (tenant_id, case_id, question_id, generation, subject, owner, opened_at)
     select $1, c.case_id, c.question_id, c.generation, c.subject, c.owner, c.opened_at::timestamptz
       from unnest($2::text[], $3::text[], $4::int[], $5::text[], $6::text[], $7::text[])
         as c (case_id, question_id, generation, subject, owner, opened_at)
      order by c.case_id
     on conflict (tenant_id, case_id) do nothing returning case_id`,
    [
      tenantId,
      once.map((row) => row.caseId),
      once.map((row) => row.questionId),
      once.map((row) => row.generation),
      once.map((row) => row.subject),
      once.map((row) => row.owner),
      once.map((row) => row.openedAt),
    ],
  );
  const fresh = new Set(rows.map((row) => row.case_id));
  return once.filter((row) => fresh.has(row.caseId));
}

export interface ClosedCase {
  readonly caseId: string;
  readonly questionId: string;
}

interface QuestionGeneration {
  readonly questionId: string;
  readonly generation: number;
}

/** Locks these questions, in one order, and notes their newest generations; answers the newest of each. */
export async function noteNewest(
  tx: Transaction,
  tenantId: string,
  seen: readonly QuestionGeneration[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.query<{ question_id: string; generation: number }>(
    `insert into newest_verdict as n (tenant_id, question_id, generation)
     select $1, s.question_id, max(s.generation) from unnest($2::text[], $3::int[]) as s (question_id, generation) group by 2 order by 2
     on conflict (tenant_id, question_id) do update set generation = greatest(n.generation, excluded.generation)
     returning question_id, generation`,
    [tenantId, seen.map((row) => row.questionId), seen.map((row) => row.generation)],
  );
  return new Map(rows.map((row) => [row.question_id, row.generation]));
}

/** Closes the open cases of older generations: a newer verdict stands in their place. */
export async function closeOlder(tx: Transaction, tenantId: string, newest: ReadonlyMap<string, number>, now: Date): Promise<ClosedCase[]> {
  return closed(
    await tx.query(
      `update case_file c set closed_at = $4, outcome = 'superseded'
         from unnest($2::text[], $3::int[]) as n (question_id, generation)
        where c.tenant_id = $1 and c.question_id = n.question_id and c.generation < n.generation
          and c.closed_at is null and c.subject <> 'delivery-stalled'
       returning c.case_id, c.question_id`,
      [tenantId, [...newest.keys()], [...newest.values()], now],
    ),
  );
}

/** Closes one case; nothing when it is closed already. */
export async function closeCase(tx: Transaction, tenantId: string, caseId: string, outcome: string, now: Date): Promise<ClosedCase[]> {
  return closed(
    await tx.query(
      `update case_file set closed_at = $4, outcome = $3 where tenant_id = $1 and case_id = $2 and closed_at is null
       returning case_id, question_id`,
      [tenantId, caseId, outcome, now],
    ),
  );
}

/** Closes the open case of one generation's hold. */
export async function closeHold(
  tx: Transaction,
  tenantId: string,
  { questionId, generation }: QuestionGeneration,
  outcome: string,
  now: Date,
): Promise<ClosedCase[]> {
  return closed(
    await tx.query(
      `update case_file set closed_at = $5, outcome = $4 where tenant_id = $1 and question_id = $2 and generation = $3
         and subject = 'evidence-hold' and closed_at is null returning case_id, question_id`,
      [tenantId, questionId, generation, outcome, now],
    ),
  );
}

const closed = (rows: readonly object[]): ClosedCase[] =>
  (rows as { case_id: string; question_id: string }[]).map((row) => ({ caseId: row.case_id, questionId: row.question_id }));

/** Counts this generation's automatic rerun if there is one left of `rerunsMax`; a repetition is told from a first time. */
export async function takeAutoRerun(
  tx: Transaction,
  tenantId: string,
  { questionId, generation }: QuestionGeneration,
  rerunsMax: number,
  now: Date,
): Promise<'taken' | 'repeated' | 'used-up'> {
  const [row] = await tx.query<{ used: number; repeated: boolean }>(
    `select count(*) filter (where generation < $3)::int as used, coalesce(bool_or(generation = $3), false) as repeated
       from auto_rerun where tenant_id = $1 and question_id = $2`,
    [tenantId, questionId, generation],
  );
  if (row?.repeated) return 'repeated';
  if ((row?.used ?? 0) >= rerunsMax) return 'used-up';
  await tx.query('insert into auto_rerun (tenant_id, question_id, generation, asked_at) values ($1, $2, $3, $4)', [
    tenantId,
    questionId,
    generation,
    now,
  ]);
  return 'taken';
}

export async function keepQuestions(tx: Transaction, tenantId: string, asked: readonly QuestionAsked[]): Promise<void> {
  await tx.query(
    `insert into question (tenant_id, question_id, register_name, register_hash)
     select $1, q.question_id, q.register_name, q.register_hash
       from unnest($2::text[], $3::text[], $4::text[]) as q (question_id, register_name, register_hash) order by q.question_id
     on conflict (tenant_id, question_id) do nothing`,
    [tenantId, asked.map((row) => row.questionId), asked.map((row) => row.registerName), asked.map((row) => row.registerHash)],
  );
}

/** Register of a question with its owner; null while unknown. */
export async function ownerOf(
  tx: Transaction,
  tenantId: string,
  questionId: string,
): Promise<{ readonly registerName: string; readonly owner: string } | null> {
  const [row] = await tx.query<{ register_name: string; owner: string | null }>(
    `select q.register_name, r.register #>> '{owner,name}' as owner
       from question q left join register_version r on r.tenant_id = q.tenant_id and r.register_hash = q.register_hash
      where q.tenant_id = $1 and q.question_id = $2`,
    [tenantId, questionId],
  );
  return row ? { registerName: row.register_name, owner: row.owner ?? 'operator' } : null;
}
