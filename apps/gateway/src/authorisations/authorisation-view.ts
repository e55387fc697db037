import type { AuthorisationRow } from './authorisation-row.js';
import type { AuthorisationView } from './authorisation.dto.js';

export function authorisationView(row: AuthorisationRow, upToDate: boolean): AuthorisationView {
  const { body, decision, outcome, over_at: overAt } = row;
  return {
    partial: !upToDate,
    coverage: upToDate ? 'complete' : 'recent_unavailable',
    from_clamped: false,
    advice: adviceOn(row, upToDate),
    authorisationId: body.authorisationId,
    state: overAt ? 'over' : decision ? 'decided' : 'open',
    policy: body.policy,
    questionId: body.questionId,
    asker: row.asker,
    register: row.register_name,
    target: body.target,
    payload: row.payload,
    payloadHash: body.payloadHash,
    requestedAt: body.at,
    expiresAt: body.expiresAt,
    decision,
    outcome,
    links: { self: `/v1/authorisations/${body.authorisationId}`, question: `/v1/questions/${body.questionId}` },
  };
}

function adviceOn({ decision, over_at: overAt, body }: AuthorisationRow, upToDate: boolean): string {
  if (!upToDate) return 'The newest events are not read yet; ask again shortly.';
  if (overAt) return 'It is over: the answer of the write stands at the question.';
  if (decision?.decision === 'approved')
    return 'Approved: the record is written on the next fresh no-match, or not at all; see the question.';
  if (decision) return 'Declined: nothing is written.';
  return `An approver decides until ${body.expiresAt}: POST ${`/v1/authorisations/${body.authorisationId}`}/decisions with the payload's hash.`;
}
