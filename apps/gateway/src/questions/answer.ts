/** The answer object, from what the read model knows: a pure function. */
import { reasonOf } from '@lacuna/evidence';
import type { NamedRecord, VerdictReached } from '@lacuna/events';
import type { AnswerRow } from './answer-row.js';
import type { AnswerView, Coverage, RecordView, VerdictName, WriteView } from './answer.dto.js';

/** Nothing was found because nothing has been read to its end yet; nobody may take that for absence. */
const readingAdvice =
  'The sources are still being read: nothing is known yet, and absence must not be concluded. Ask again at links.self, or with ?wait=seconds.';

const adviceOf: Readonly<Record<VerdictName, string>> = {
  'match-review': 'At least one record matches. Do not create another; a person compares the records named here.',
  'scoped-no-match':
    'No match in this register, for these identifiers, up to asOf. It allows the next step only together with an authorisation, and not for long.',
  'evidence-hold': 'The evidence does not support a conclusion. Absence must not be concluded; the owner named here acts on the reasons.',
};

/** Whether nothing more will come for the newest generation by itself. */
export function isSettled(row: AnswerRow): boolean {
  return verdictOf(row) !== null && writeOf(row)?.answer !== 'pending';
}

export function buildAnswer(row: AnswerRow, revealed: boolean): AnswerView {
  const verdict = verdictOf(row);
  return {
    ...completenessOf(verdict, row.stalled),
    questionId: row.question_id,
    generation: row.rerun_waiting ? row.newest + 1 : row.newest,
    state: verdict ? 'decided' : 'reading',
    ...findingsOf(verdict, revealed),
    unlisted: unlistedOf(row, verdict),
    write: writeOf(row, revealed),
    caseIds: row.case_ids,
    deliveryStalled: row.stalled,
    progress: row.rerun_waiting ? { attempts: 0, pages: 0 } : { attempts: row.attempts, pages: row.pages },
    register: row.register_name,
    registerHash: row.register_hash,
    askedAt: row.asked_at.toISOString(),
    needsAsOf: row.needs_as_of.toISOString(),
    links: {
      self: `/v1/questions/${row.question_id}`,
      receipt: verdict ? `/v1/receipts/${verdict.receiptId}` : null,
      cases: row.case_ids.map((caseId) => `/v1/cases/${caseId}`),
    },
  };
}

/** The verdict of the newest generation: one that a waiting rerun has made old does not speak any more. */
function verdictOf(row: AnswerRow): VerdictReached | null {
  return row.rerun_waiting ? null : row.verdict;
}

function completenessOf(verdict: VerdictReached | null, stalled: boolean) {
  const stalledAdvice = stalled ? ' A message of this question could not be handled; an operator is needed.' : '';
  if (!verdict) {
    return { partial: true, coverage: 'recent_unavailable' as const, from_clamped: false, advice: readingAdvice + stalledAdvice };
  }
  return {
    partial: verdict.partial,
    coverage: verdict.coverage as Coverage,
    from_clamped: verdict.fromClamped,
    advice: adviceOf[verdict.verdict] + stalledAdvice,
  };
}

function findingsOf(verdict: VerdictReached | null, revealed: boolean) {
  return {
    verdict: verdict?.verdict ?? null,
    statement: verdict && statementOf(verdict, revealed),
    reasons: (verdict?.reasons ?? []).map(({ code, source }) => ({ code, source: source ?? null, meaning: reasonOf(code).meaning })),
    matches: (verdict?.matches ?? []).map((record) => recordView(record, revealed)),
    candidates: (verdict?.candidates ?? []).map((record) => recordView(record, revealed)),
    asOf: verdict?.asOf ?? null,
    owner: verdict?.owner ?? null,
    receiptId: verdict?.receiptId ?? null,
    receiptHash: verdict?.receiptHash ?? null,
  };
}

export function recordView({ source, recordId, version, status }: NamedRecord, revealed: boolean): RecordView {
  if (!revealed) return { source, recordId: null, version: null, status: status ?? null };
  return { source, recordId, version: version ?? null, status: status ?? null };
}

/** A statement names records; where ids may not be seen they are covered, longest first, so that no part of one is left. */
export function coverRecordIds(statement: string, records: readonly NamedRecord[]): string {
  const ids = [...new Set(records.map((record) => record.recordId))].sort((a, b) => b.length - a.length);
  return ids.reduce((text, id) => text.replaceAll(id, '(id not shown)'), statement);
}

function unlistedOf(row: AnswerRow, verdict: VerdictReached | null) {
  return {
    matches: verdict ? (row.matches_total ?? 0) - verdict.matches.length : 0,
    candidates: verdict ? (row.candidates_total ?? 0) - verdict.candidates.length : 0,
  };
}

function statementOf(verdict: VerdictReached, revealed: boolean): string {
  if (revealed) return verdict.statement;
  return coverRecordIds(verdict.statement, [...verdict.matches, ...verdict.candidates, ...verdict.reusable]);
}

function writeOf(row: AnswerRow, revealed = true): WriteView | null {
  if (row.intent_kind === 'none') return null;
  const { write } = row;
  if (write && (write.generation >= row.newest || write.answer === 'created')) {
    return { answer: write.answer, recordId: revealed ? write.recordId : null, reason: write.reason };
  }
  const verdict = verdictOf(row);
  if (verdict && verdict.verdict !== 'scoped-no-match') return { answer: 'not-attempted', recordId: null, reason: verdict.verdict };
  return { answer: 'pending', recordId: null, reason: null };
}
