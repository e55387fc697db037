/** What a person's decision on a case means: a pure function of the case, the decision and the clock. */
import type { NamedRecord, QuestionRerun, ReviewDecided } from '@lacuna/events';
import { sha256Hex } from '@lacuna/receipts';
import type { FieldProblem } from '../http/field-problem.js';
import type { CaseRow } from './case-row.js';
import type { DecideCaseBody } from './case.dto.js';

export interface Reviewing {
  readonly tenantId: string;
  readonly principal: string;
  readonly decidedAt: Date;
  readonly body: DecideCaseBody;
}

export type ReviewDecision =
  | { readonly outcome: 'decided'; readonly decided: ReviewDecided; readonly rerun: QuestionRerun | null }
  /** The same decision was made before: nothing more happens. */
  | { readonly outcome: 'repeated' }
  | { readonly outcome: 'conflict'; readonly why: string }
  | { readonly outcome: 'invalid'; readonly problems: readonly FieldProblem[] };

/** One decision per case: the case's id is the natural key of the decision. */
export const decisionIdOf = (tenantId: string, caseId: string) => `dec_${sha256Hex(JSON.stringify([tenantId, caseId])).slice(0, 32)}`;

export function decideReview(row: CaseRow, reviewing: Reviewing): ReviewDecision {
  const meant = recordsMeant(row, reviewing.body);
  if ('problems' in meant) return { outcome: 'invalid', problems: meant.problems };
  if (row.decision)
    return isSame(row, reviewing, meant.records) ? { outcome: 'repeated' } : conflict(`was decided as "${row.decision.decision}"`);
  if (row.closed_at) return conflict(`is closed (${row.outcome})`);
  const decided = decidedOf(row, reviewing, meant.records);
  return { outcome: 'decided', decided, rerun: rerunOf(decided) };
}

const conflict = (why: string): ReviewDecision => ({ outcome: 'conflict', why });

/** The case's own records stand behind the references, with the version and digest that were reviewed. */
function recordsMeant({ body }: CaseRow, asked: DecideCaseBody): { records: NamedRecord[] } | { problems: FieldProblem[] } {
  if (asked.decision === 'rerun') {
    return asked.records
      ? { problems: [{ pointer: '/records', detail: 'a rerun is of the question: leave the records out' }] }
      : { records: [] };
  }
  if (body.records.length === 0) {
    return {
      problems: [{ pointer: '/decision', detail: `the case names no record, so none is "${asked.decision}"; "rerun" is possible` }],
    };
  }
  if (!asked.records) return { records: body.records };
  const wanted = asked.records.map(({ source, recordId }) => body.records.find((r) => r.source === source && r.recordId === recordId));
  const problems = wanted.flatMap((record, index) =>
    record ? [] : [{ pointer: `/records/${index}`, detail: 'is not a record of this case' }],
  );
  return problems.length > 0 ? { problems } : { records: [...new Set(wanted as NamedRecord[])] };
}

function isSame({ decision }: CaseRow, { principal, body }: Reviewing, records: readonly NamedRecord[]): boolean {
  const ids = (named: readonly { source: string; recordId: string }[]) =>
    named
      .map((r) => `${r.source}/${r.recordId}`)
      .sort()
      .join('\n');
  return (
    decision !== null &&
    decision.decision === body.decision &&
    decision.principal === principal &&
    decision.note === (body.note ?? null) &&
    ids(decision.records) === ids(records)
  );
}

function decidedOf({ body: opened }: CaseRow, { tenantId, principal, decidedAt, body }: Reviewing, records: NamedRecord[]): ReviewDecided {
  return {
    tenantId,
    questionId: opened.questionId,
    caseId: opened.caseId,
    decisionId: decisionIdOf(tenantId, opened.caseId),
    decision: body.decision,
    records,
    principal,
    note: body.note ?? null,
    at: decidedAt.toISOString(),
  };
}

/** `same` needs no further reading. `different` leaves those records out, at the version (or digest) that was reviewed. */
function rerunOf({ tenantId, questionId, decisionId, decision, records, at }: ReviewDecided): QuestionRerun | null {
  if (decision === 'same') return null;
  const exclusions = records.map(({ source, recordId, version, digest }) => ({ source, recordId, version: version ?? null, digest }));
  return { tenantId, questionId, causeId: decisionId, cause: 'review', exclusions, needsAsOf: null, at };
}
