import { events } from '@lacuna/events';
import type { TenantBatch } from '@lacuna/messaging';
import { dataOf } from './event-data.js';

/** Cases, open and closed. Both events of a case have one key, so the opening is never behind the closing. Answers the questions that moved. */
export async function projectCases(batch: TenantBatch): Promise<string[]> {
  const opened = dataOf(events.caseOpened, batch);
  const closed = dataOf(events.caseClosed, batch);
  if (opened.length > 0) await insertOpened(batch, opened);
  if (closed.length > 0) await updateClosed(batch, closed);
  return opened.map(({ questionId }) => questionId);
}

async function insertOpened({ tx, tenantId }: TenantBatch, opened: readonly object[]): Promise<void> {
  await tx.query(
    `insert into review_case (tenant_id, case_id, question_id, body, opened_at)
     select $1, r.body ->> 'caseId', r.body ->> 'questionId', r.body, (r.body ->> 'openedAt')::timestamptz
     from jsonb_array_elements($2::jsonb) as r(body)
     on conflict do nothing`,
    [tenantId, JSON.stringify(opened)],
  );
}

/** The first closing counts; a case is closed once. */
async function updateClosed({ tx, tenantId }: TenantBatch, closed: readonly object[]): Promise<void> {
  await tx.query(
    `update review_case c set closed_at = r."at", outcome = r.outcome
     from (select distinct on ("caseId") * from jsonb_to_recordset($2::jsonb) as x("caseId" text, outcome text, "at" timestamptz)
       order by "caseId", "at") r
     where c.tenant_id = $1 and c.case_id = r."caseId" and c.closed_at is null`,
    [tenantId, JSON.stringify(closed)],
  );
}
