import { reasonOf } from '@lacuna/evidence';
import { coverRecordIds, recordView } from '../questions/answer.js';
import { completenessOfCase } from './completeness-of-case.js';
import type { CaseView } from './case.dto.js';
import type { CaseRow } from './case-row.js';

/** How a caller may see a case, and whether all that the log had of it was read. */
export interface Seeing {
  readonly revealed: boolean;
  readonly upToDate: boolean;
}

export function caseView(row: CaseRow, { revealed, upToDate }: Seeing): CaseView {
  const { body, closed_at, outcome, decision } = row;
  return {
    ...completenessOfCase(row, upToDate),
    caseId: body.caseId,
    state: closed_at ? 'closed' : 'open',
    subject: body.subject,
    questionId: body.questionId,
    generation: body.generation,
    register: body.registerName,
    owner: body.owner,
    statement: revealed ? body.statement : coverRecordIds(body.statement, body.records),
    reasons: body.reasons.map(({ code, source }) => ({ code, source: source ?? null, meaning: reasonOf(code).meaning })),
    records: body.records.map((record) => recordView(record, revealed)),
    receiptId: body.receiptId ?? null,
    openedAt: body.openedAt,
    closedAt: closed_at?.toISOString() ?? null,
    outcome,
    decision: decision && {
      decision: decision.decision,
      principal: decision.principal,
      note: decision.note,
      decidedAt: decision.decidedAt,
    },
    links: {
      self: `/v1/cases/${body.caseId}`,
      question: `/v1/questions/${body.questionId}`,
      receipt: body.receiptId ? `/v1/receipts/${body.receiptId}` : null,
    },
  };
}
