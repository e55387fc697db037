import type { CaseOpened } from '@lacuna/events';
import type { Transaction } from '@lacuna/messaging';
import type { DecisionView } from './case.dto.js';

export interface CaseRow {
  readonly body: CaseOpened;
  readonly closed_at: Date | null;
  readonly outcome: string | null;
  readonly decision: DecisionRow | null;
}

export interface DecisionRow {
  readonly decision: DecisionView['decision'];
  readonly records: readonly { source: string; recordId: string }[];
  readonly principal: string;
  readonly note: string | null;
  readonly decidedAt: string;
}

const caseColumns = `
  select c.body, c.closed_at, c.outcome,
    (select jsonb_build_object('decision', d.decision, 'records', d.records, 'principal', d.principal, 'note', d.note,
        'decidedAt', to_char(d.decided_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      from decision d where d.tenant_id = c.tenant_id and d.case_id = c.case_id) as decision
  from review_case c`;

export async function readCase(tx: Transaction, tenantId: string, caseId: string): Promise<CaseRow | null> {
  const [row] = await tx.query<CaseRow>(`${caseColumns} where c.tenant_id = $1 and c.case_id = $2`, [tenantId, caseId]);
  return row ?? null;
}

/** As `readCase`; nobody else decides it until this transaction ends. */
export async function lockCase(tx: Transaction, tenantId: string, caseId: string): Promise<CaseRow | null> {
  await tx.query('select 1 from review_case where tenant_id = $1 and case_id = $2 for update', [tenantId, caseId]);
  return readCase(tx, tenantId, caseId);
}

export type CaseState = 'open' | 'closed' | 'all';

/** Open cases first, newest first; a case that closes meanwhile moves behind the cursor, so none is missed. */
export interface CasePosition {
  readonly closed: boolean;
  readonly openedAt: string;
  readonly caseId: string;
}

export function listCaseRows(
  tx: Transaction,
  tenantId: string,
  state: CaseState,
  after: CasePosition | null,
  rowsMax: number,
): Promise<CaseRow[]> {
  return tx.query<CaseRow>(
    `${caseColumns}
     where c.tenant_id = $1 and ($2::boolean is null or (c.closed_at is not null) = $2::boolean)
       and ($3::boolean is null or (c.closed_at is not null) > $3::boolean
         or ((c.closed_at is not null) = $3::boolean and (c.opened_at, c.case_id) < ($4::timestamptz, $5)))
     order by (c.closed_at is not null), c.opened_at desc, c.case_id desc limit $6`,
    [tenantId, state === 'all' ? null : state === 'closed', after?.closed ?? null, after?.openedAt ?? null, after?.caseId ?? '', rowsMax],
  );
}
