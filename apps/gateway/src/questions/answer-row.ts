/** What the read model knows of questions, newest asking first: the one statement behind single answers and lists. */
import type { VerdictReached } from '@lacuna/events';
import type { Transaction } from '@lacuna/messaging';

export interface AnswerRow {
  readonly question_id: string;
  readonly register_name: string;
  readonly register_hash: string;
  readonly kind: 'exists' | 'gone' | 'enumerate';
  readonly intent_kind: 'none' | 'create';
  readonly asked_at: Date;
  readonly needs_as_of: Date;
  /** Newest generation that anything is known of; 1 before the search starts. */
  readonly newest: number;
  /** A rerun was asked for after that generation and has not started. */
  readonly rerun_waiting: boolean;
  readonly verdict: VerdictReached | null;
  /** How many the verdict names, of which `verdict` may hold the first only. */
  readonly matches_total: number | null;
  readonly candidates_total: number | null;
  readonly write: WriteRow | null;
  /** The case about this generation's verdict was opened. */
  readonly has_case: boolean;
  readonly case_ids: string[];
  /** The newest decision of a person. */
  readonly review: ReviewRow | null;
  /** Of this generation. */
  readonly exception: ExceptionRow | null;
  readonly stalled: boolean;
  readonly attempts: number;
  readonly pages: number;
}

export interface WriteRow {
  readonly generation: number;
  readonly answer: 'created' | 'exists' | 'refused' | 'unknown';
  readonly recordId: string | null;
  readonly reason: string | null;
}

export interface ExceptionRow {
  readonly exceptionId: string;
  readonly principal: string;
  readonly reason: string;
  readonly expiresAt: string;
  readonly at: string;
}

export interface ReviewRow {
  readonly generation: number;
  readonly decision: 'rerun' | 'same' | 'different';
  readonly caseId: string;
  readonly at: string;
}

const CASES_SHOWN_MAX = 20;
const RECORDS_SHOWN_MAX = 1_000;
/** As many as a statement names, so that what is listed covers every id in it. */
const RECORDS_IN_LIST_MAX = 20;

/** The first records of a list in a verdict's body; $2 says how many. */
const firstOf = (list: string) => `jsonb_path_query_array(v.body, '$.${list}[0 to $end]', jsonb_build_object('end', $2::int - 1))`;

/** What this question has created stays its answer, whatever later generations were told. */
const writeShown = `
    (select jsonb_build_object('generation', w.generation, 'answer', w.answer, 'recordId', w.record_id, 'reason', w.reason)
      from write_answer w where w.tenant_id = q.tenant_id and w.question_id = q.question_id
      order by (w.answer = 'created') desc, w.generation desc limit 1)`;

const reviewShown = `
    (select jsonb_build_object('generation', d.generation, 'decision', d.decision, 'caseId', d.case_id,
        'at', to_char(d.decided_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      from decision d where d.tenant_id = q.tenant_id and d.question_id = q.question_id
      order by d.generation desc, d.decided_at desc, d.case_id limit 1)`;

const exceptionShown = `
    (select e.body from exception e where e.tenant_id = q.tenant_id and e.question_id = q.question_id and e.generation = newest.generation
      order by e.granted_at desc limit 1)`;

/** A case about a message that could not be handled says nothing of the verdict. */
const hasCase = `
    exists (select from review_case c where c.tenant_id = q.tenant_id and c.question_id = q.question_id
      and (c.body ->> 'generation')::int >= newest.generation and c.body ->> 'subject' <> 'delivery-stalled')`;

/** $1 is the tenant, $2 how many records are shown of each kind. */
const answerColumns = `
  select q.question_id, q.register_name, q.register_hash, q.kind, q.intent_kind, q.asked_at, q.needs_as_of,
    newest.generation as newest,
    exists (select from decision d where d.tenant_id = q.tenant_id and d.question_id = q.question_id
      and d.decision in ('rerun', 'different') and d.generation >= newest.generation) as rerun_waiting,
    (select v.body || jsonb_build_object('matches', ${firstOf('matches')}, 'candidates', ${firstOf('candidates')},
        'reusable', ${firstOf('reusable')}) from verdict v
      where v.tenant_id = q.tenant_id and v.question_id = q.question_id and v.generation = newest.generation) as verdict,
    totals.matches as matches_total, totals.candidates as candidates_total,
    ${writeShown} as write, ${reviewShown} as review, ${exceptionShown} as exception, ${hasCase} as has_case,
    array(select c.case_id from review_case c where c.tenant_id = q.tenant_id and c.question_id = q.question_id
      order by (c.closed_at is not null), c.opened_at desc limit ${CASES_SHOWN_MAX}) as case_ids,
    exists (select from stalled_delivery s where s.tenant_id = q.tenant_id and s.question_id = q.question_id and s.cleared_at is null)
      as stalled,
    progress.attempts, progress.pages
  from question q
  cross join lateral (select greatest(1,
    (select max(v.generation) from verdict v where v.tenant_id = q.tenant_id and v.question_id = q.question_id),
    (select max(p.generation) from search_progress p where p.tenant_id = q.tenant_id and p.question_id = q.question_id)
  ) as generation) newest
  left join lateral (select jsonb_array_length(v.body -> 'matches') as matches, jsonb_array_length(v.body -> 'candidates') as candidates
    from verdict v where v.tenant_id = q.tenant_id and v.question_id = q.question_id and v.generation = newest.generation) totals on true
  cross join lateral (select (count(*) filter (where p.pages > 0))::int as attempts, coalesce(sum(p.pages), 0)::int as pages
    from search_progress p
    where p.tenant_id = q.tenant_id and p.question_id = q.question_id and p.generation = newest.generation) progress`;

/** Answers of these questions, in no order; unknown ids are left out. `tx` acts for the tenant. */
export function readAnswerRows(tx: Transaction, tenantId: string, questionIds: readonly string[]): Promise<AnswerRow[]> {
  return tx.query<AnswerRow>(`${answerColumns} where q.tenant_id = $1 and q.question_id = any($3)`, [
    tenantId,
    RECORDS_SHOWN_MAX,
    [...questionIds],
  ]);
}

/** Where a page of a list begins: behind this question. */
export interface ListPosition {
  readonly askedAt: string;
  readonly questionId: string;
}

/** At most `rowsMax` questions, newest first, behind `after`. */
export function listAnswerRows(tx: Transaction, tenantId: string, after: ListPosition | null, rowsMax: number): Promise<AnswerRow[]> {
  return tx.query<AnswerRow>(
    `${answerColumns}
     where q.tenant_id = $1 and ($3::timestamptz is null or (q.asked_at, q.question_id) < ($3::timestamptz, $4))
     order by q.asked_at desc, q.question_id desc limit $5`,
    [tenantId, RECORDS_IN_LIST_MAX, after?.askedAt ?? null, after?.questionId ?? '', rowsMax],
  );
}
