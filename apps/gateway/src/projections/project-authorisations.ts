import { events } from '@lacuna/events';
import type { TenantBatch } from '@lacuna/messaging';
import { dataOf } from './event-data.js';

/** Authorisations that a person is asked for, and their end: the answer of their question's write, which has the same key and comes behind. */
export async function projectAuthorisations(batch: TenantBatch): Promise<void> {
  const requested = dataOf(events.authorisationRequested, batch);
  const settled = dataOf(events.writeSettled, batch);
  if (requested.length > 0) await insertRequested(batch, requested);
  if (settled.length > 0) await endThem(batch, settled);
}

async function insertRequested({ tx, tenantId }: TenantBatch, requested: readonly object[]): Promise<void> {
  await tx.query(
    `insert into authorisation (tenant_id, authorisation_id, question_id, body, requested_at)
     select $1, r.body ->> 'authorisationId', r.body ->> 'questionId', r.body, (r.body ->> 'at')::timestamptz
     from jsonb_array_elements($2::jsonb) as r(body) on conflict do nothing`,
    [tenantId, JSON.stringify(requested)],
  );
}

/** An answer ends what was asked for before it, never what is asked for later. */
async function endThem({ tx, tenantId }: TenantBatch, settled: readonly object[]): Promise<void> {
  await tx.query(
    `update authorisation a set over_at = s."at", outcome = coalesce(s.reason, s.answer)
     from (select distinct on ("questionId") * from jsonb_to_recordset($2::jsonb)
         as x("questionId" text, answer text, reason text, "at" timestamptz) order by "questionId", "at" desc) s
     where a.tenant_id = $1 and a.question_id = s."questionId" and a.over_at is null and a.requested_at <= s."at"`,
    [tenantId, JSON.stringify(settled)],
  );
}
