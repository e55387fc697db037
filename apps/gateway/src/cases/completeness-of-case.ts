import type { Completeness } from '../questions/answer.dto.js';
import type { CaseRow } from './case-row.js';

/** A case is shown whole, but for what the read model has not read yet: it may be closed already. */
export function completenessOfCase(row: CaseRow, upToDate: boolean): Completeness {
  if (!upToDate) {
    const advice = 'The newest events are not read yet: the case may be closed already. Ask again shortly.';
    return { partial: true, coverage: 'recent_unavailable', from_clamped: false, advice };
  }
  return { partial: false, coverage: 'complete', from_clamped: false, advice: adviceOn(row) };
}

function adviceOn({ body, closed_at, outcome, decision }: CaseRow): string {
  if (decision)
    return decision.decision === 'same' ? 'It is decided: work with the record named.' : 'It is decided: the question is read once more.';
  if (closed_at) return `It is closed (${outcome}): nothing is to be done.`;
  if (body.subject === 'delivery-stalled') return 'An operator looks after the message that could not be handled.';
  const words = body.records.length > 0 ? 'same, different or rerun' : 'rerun';
  return `A person decides it: POST ${words} as decision to links.self/decisions.`;
}
