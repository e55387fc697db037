import { events } from '@lacuna/events';
import type { TenantBatch } from '@lacuna/messaging';
import { dataOf } from './event-data.js';

/**
 * The one answer of each write attempt; that of an attempt by exception stands in the place of the refusal that its hold had. Answers the
 * questions that moved.
 */
export async function projectWrites(batch: TenantBatch): Promise<string[]> {
  const settled = dataOf(events.writeSettled, batch);
  if (settled.length === 0) return [];
  const [byVerdict, byException] = [settled.filter((one) => !one.exceptionId), settled.filter((one) => one.exceptionId)];
  await insert(batch, byVerdict, 'nothing');
  await insert(
    batch,
    byException,
    `update set answer = excluded.answer, record_id = excluded.record_id, reason = excluded.reason, settled_at = excluded.settled_at
       where w.answer = 'refused'`,
  );
  return settled.map(({ questionId }) => questionId);
}

async function insert(batch: TenantBatch, settled: readonly object[], onConflict: string): Promise<void> {
  if (settled.length === 0) return;
  await batch.tx.query(
    `insert into write_answer as w (tenant_id, question_id, generation, answer, target, record_id, reason, settled_at)
     select $1, r."questionId", r.generation, r.answer, r.target, r."recordId", r.reason, r."at"
     from jsonb_to_recordset($2::jsonb) as r("questionId" text, generation int, answer text, target text, "recordId" text, reason text,
       "at" timestamptz)
     on conflict (tenant_id, question_id, generation) do ${onConflict}`,
    [batch.tenantId, JSON.stringify(settled)],
  );
}
