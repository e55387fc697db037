import type { AuthorisationRequested } from '@lacuna/events';
import type { Transaction } from '@lacuna/messaging';
import type { AuthorisationDecisionView } from './authorisation.dto.js';

export interface AuthorisationRow {
  readonly body: AuthorisationRequested;
  readonly over_at: Date | null;
  readonly outcome: string | null;
  readonly asker: string | null;
  readonly register_name: string | null;
  readonly payload: Record<string, unknown> | null;
  readonly decision: AuthorisationDecisionView | null;
}

const columns = `
  select a.body, a.over_at, a.outcome, q.principal as asker, q.register_name, q.payload,
    (select jsonb_build_object('decision', d.decision, 'principal', d.principal, 'note', d.note,
        'decidedAt', to_char(d.decided_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      from authorisation_decision d where d.tenant_id = a.tenant_id and d.authorisation_id = a.authorisation_id) as decision
  from authorisation a left join question q on q.tenant_id = a.tenant_id and q.question_id = a.question_id`;

export async function readAuthorisation(tx: Transaction, tenantId: string, authorisationId: string): Promise<AuthorisationRow | null> {
  const found = await tx.query<AuthorisationRow>(`${columns} where a.tenant_id = $1 and a.authorisation_id = $2`, [
    tenantId,
    authorisationId,
  ]);
  return found[0] ?? null;
}

/** As `readAuthorisation`; nobody else decides it until this transaction ends. */
export async function lockAuthorisation(tx: Transaction, tenantId: string, authorisationId: string): Promise<AuthorisationRow | null> {
  await tx.query('select 1 from authorisation where tenant_id = $1 and authorisation_id = $2 for update', [tenantId, authorisationId]);
  return readAuthorisation(tx, tenantId, authorisationId);
}

export type AuthorisationFilter = 'open' | 'over' | 'all';

/** Those that wait first, newest first; one that is over meanwhile moves behind the cursor, so none is missed. */
export interface AuthorisationPosition {
  readonly over: boolean;
  readonly requestedAt: string;
  readonly authorisationId: string;
}

export function listAuthorisationRows(
  tx: Transaction,
  tenantId: string,
  filter: AuthorisationFilter,
  after: AuthorisationPosition | null,
  rowsMax: number,
): Promise<AuthorisationRow[]> {
  return tx.query<AuthorisationRow>(
    `${columns}
     where a.tenant_id = $1 and ($2::boolean is null or (a.over_at is not null) = $2::boolean)
       and ($3::boolean is null or (a.over_at is not null) > $3::boolean
         or ((a.over_at is not null) = $3::boolean and (a.requested_at, a.authorisation_id) < ($4::timestamptz, $5)))
     order by (a.over_at is not null), a.requested_at desc, a.authorisation_id desc limit $6`,
    [
      tenantId,
      filter === 'all' ? null : filter === 'over',
      after?.over ?? null,
      after?.requestedAt ?? null,
      after?.authorisationId ?? '',
      rowsMax,
    ],
  );
}
