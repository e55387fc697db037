/** Questions and their generations. SQL only; the caller's transaction acts for the tenant. */
import type { ExcludedRecord, QuestionAsked } from '@lacuna/events';
import type { Transaction } from '@lacuna/messaging';
import type { KnownQuestion, NewGeneration, Numbered } from './number-generations.js';

/** Locks and answers the questions that are known of these. */
export async function knownQuestions(
  tx: Transaction,
  tenantId: string,
  questionIds: readonly string[],
): Promise<Map<string, KnownQuestion>> {
  const ids = [...new Set(questionIds)].sort();
  const rows = await tx.query<{
    question_id: string;
    asked: QuestionAsked;
    exclusions: ExcludedRecord[];
    generations: number;
    causes: string[];
  }>(
    `select q.question_id, q.asked, q.exclusions, q.generations,
            array(select g.cause_id from generation g where g.tenant_id = q.tenant_id and g.question_id = q.question_id) as causes
       from question q where q.tenant_id = $1 and q.question_id = any ($2::text[]) order by q.question_id for update`,
    [tenantId, ids],
  );
  return new Map(
    rows.map((row) => [
      row.question_id,
      { asked: row.asked, exclusions: row.exclusions, generations: row.generations, causes: new Set(row.causes) },
    ]),
  );
}

/** Keeps what `numberGenerations` gave. */
export async function keepGenerations(tx: Transaction, tenantId: string, { questions, generations }: Numbered): Promise<void> {
  const changed = [...new Set(generations.map(({ job }) => job.question.questionId))].sort();
  const rows = changed.map((id) => questions.get(id) as KnownQuestion);
  await tx.query(
    `insert into question (tenant_id, question_id, asked, exclusions, generations)
     select $1, q.question_id, q.asked::json, q.exclusions::json, q.generations
       from unnest($2::text[], $3::text[], $4::text[], $5::int[]) as q (question_id, asked, exclusions, generations)
     on conflict (tenant_id, question_id) do update set exclusions = excluded.exclusions, generations = excluded.generations`,
    [
      tenantId,
      changed,
      rows.map((row) => JSON.stringify(row.asked)),
      rows.map((row) => JSON.stringify(row.exclusions)),
      rows.map((row) => row.generations),
    ],
  );
  await insertGenerations(tx, tenantId, generations);
}

async function insertGenerations(tx: Transaction, tenantId: string, generations: readonly NewGeneration[]): Promise<void> {
  await tx.query(
    `insert into generation (tenant_id, question_id, generation, cause_id)
     select $1, g.question_id, g.generation, g.cause_id
       from unnest($2::text[], $3::int[], $4::text[]) as g (question_id, generation, cause_id)`,
    [
      tenantId,
      generations.map(({ job }) => job.question.questionId),
      generations.map(({ job }) => job.generation),
      generations.map(({ causeId }) => causeId),
    ],
  );
}

/** The generation's reading is over. */
export async function recordEnd(tx: Transaction, tenantId: string, questionId: string, generation: number, endedAt: string): Promise<void> {
  await tx.query('update generation set ended_at = $4 where tenant_id = $1 and question_id = $2 and generation = $3', [
    tenantId,
    questionId,
    generation,
    endedAt,
  ]);
}
