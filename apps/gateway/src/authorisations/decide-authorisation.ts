/** Whether a person may decide on an authorisation, and what is then told: a pure function of the row, the request and the clock. */
import type { AuthorisationDecided } from '@lacuna/events';
import type { FieldProblem } from '../http/field-problem.js';
import type { DecideAuthorisationBody } from './authorisation.dto.js';
import type { AuthorisationRow } from './authorisation-row.js';

export interface Authorising {
  readonly tenantId: string;
  readonly principal: string;
  readonly decidedAt: Date;
  readonly body: DecideAuthorisationBody;
}

export type AuthorisationDecision =
  | { readonly outcome: 'decided'; readonly decided: AuthorisationDecided }
  /** The same decision was made before: nothing more happens. */
  | { readonly outcome: 'repeated' }
  | { readonly outcome: 'conflict'; readonly why: string }
  /** Four-eyes: the asker does not authorise its own write. */
  | { readonly outcome: 'own-write' }
  | { readonly outcome: 'invalid'; readonly problems: readonly FieldProblem[] };

export function decideAuthorisation(row: AuthorisationRow, { tenantId, principal, decidedAt, body }: Authorising): AuthorisationDecision {
  const { authorisationId, questionId, payloadHash, policy, expiresAt } = row.body;
  if (body.payloadHash !== payloadHash) {
    const detail = 'is not the hash of the payload that waits: look at the authorisation again';
    return { outcome: 'invalid', problems: [{ pointer: '/payloadHash', detail }] };
  }
  if (row.decision) return isSame(row, principal, body) ? { outcome: 'repeated' } : conflict(`was ${row.decision.decision} already`);
  if (row.over_at) return conflict(`is over (${row.outcome ?? 'settled'})`);
  if (decidedAt.getTime() >= Date.parse(expiresAt)) return conflict(`expired at ${expiresAt}`);
  // The asker is not known before its question is read: then nobody can be told apart from it.
  if (policy === 'four-eyes' && body.decision === 'approved' && (row.asker === null || row.asker === principal))
    return { outcome: 'own-write' };
  const { decision, note = null } = body;
  return {
    outcome: 'decided',
    decided: { tenantId, questionId, authorisationId, decision, principal, payloadHash, note, at: decidedAt.toISOString() },
  };
}

const conflict = (why: string): AuthorisationDecision => ({ outcome: 'conflict', why });

const isSame = ({ decision }: AuthorisationRow, principal: string, body: DecideAuthorisationBody): boolean =>
  decision?.decision === body.decision && decision.principal === principal && decision.note === (body.note ?? null);
