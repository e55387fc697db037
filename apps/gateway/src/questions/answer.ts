/** The answer object, from what the read model knows: a pure function. */
import { reasonOf } from '@lacuna/evidence';
import type { NamedRecord, VerdictReached } from '@lacuna/events';
import { adviceOn, asksForCase } from './answer-advice.js';
import type { AnswerRow } from './answer-row.js';
import type { AnswerView, Coverage, ExceptionView, RecordView, ReviewView, WriteView } from './answer.dto.js';

/**
 * Whether nothing more will come for the newest generation by itself: its verdict, the answer to its write, and the case that the verdict
 * asks for. A hold that heals by waiting asks for none yet.
 */
export function isSettled(row: AnswerRow): boolean {
  const verdict = verdictOf(row);
  return verdict !== null && writeOf(row)?.answer !== 'pending' && (row.has_case || !asksForCase(verdict));
}

export function buildAnswer(row: AnswerRow, revealed: boolean): AnswerView {
  const verdict = verdictOf(row);
  return {
    ...completenessOf(row, verdict),
    questionId: row.question_id,
    generation: row.rerun_waiting ? row.newest + 1 : row.newest,
    kind: row.kind,
    state: verdict ? 'decided' : 'reading',
    ...findingsOf(verdict, revealed),
    unlisted: unlistedOf(row, verdict),
    write: writeOf(row, revealed),
    review: reviewOf(row),
    exception: verdict ? exceptionOf(row) : null,
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

/** Beside the verdict, which stays what it is. */
function exceptionOf({ exception }: AnswerRow): ExceptionView | null {
  if (!exception) return null;
  const { exceptionId, principal, reason, expiresAt, at } = exception;
  return { exceptionId, principal, reason, expiresAt, at };
}

/** The verdict of the newest generation: one that a waiting rerun has made old does not speak any more. */
function verdictOf(row: AnswerRow): VerdictReached | null {
  return row.rerun_waiting ? null : row.verdict;
}

function completenessOf(row: AnswerRow, verdict: VerdictReached | null) {
  const advice = adviceOn(row, verdict, reviewOf(row));
  if (!verdict) return { partial: true, coverage: 'recent_unavailable' as const, from_clamped: false, advice };
  return { partial: verdict.partial, coverage: verdict.coverage as Coverage, from_clamped: verdict.fromClamped, advice };
}

/** A decision speaks of the generation that it was made on, and of the reading that it has asked for until that has a verdict. */
function reviewOf(row: AnswerRow): ReviewView | null {
  const { review } = row;
  if (!review || (verdictOf(row) !== null && review.generation < row.newest)) return null;
  return { decision: review.decision, caseId: review.caseId, at: review.at };
}

function findingsOf(verdict: VerdictReached | null, revealed: boolean) {
  return {
    verdict: verdict?.verdict ?? null,
    statement: verdict && statementOf(verdict, revealed),
    reasons: (verdict?.reasons ?? []).map(({ code, source }) => ({ code, source: source ?? null, meaning: reasonOf(code).meaning })),
    matches: (verdict?.matches ?? []).map((record) => recordView(record, revealed)),
    candidates: (verdict?.candidates ?? []).map((record) => recordView(record, revealed)),
    count: verdict?.count ?? null,
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
  return { answer: 'pending', recordId: null, reason: null };
}
