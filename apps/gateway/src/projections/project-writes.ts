import { events } from '@lacuna/events';
import type { TenantBatch } from '@lacuna/messaging';
import { dataOf } from './event-data.js';

/** The one answer of each write attempt. Answers the questions that moved. */
export async function projectWrites(batch: TenantBatch): Promise<string[]> {
  const settled = dataOf(events.writeSettled, batch);
  if (settled.length === 0) return [];
  await batch.tx.query(
    `insert into write_answer (tenant_id, question_id, generation, answer, target, record_id, reason, settled_at)
     select $1, r."questionId", r.generation, r.answer, r.target, r."recordId", r.reason, r."at"
     from jsonb_to_recordset($2::jsonb) as r("questionId" text, generation int, answer text, target text, "recordId" text, reason text,
       "at" timestamptz)
     on conflict do nothing`,
    [batch.tenantId, JSON.stringify(settled)],
  );
  return settled.map(({ questionId }) => questionId);
}
