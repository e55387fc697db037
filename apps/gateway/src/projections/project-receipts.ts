import { events } from '@lacuna/events';
import type { TenantBatch } from '@lacuna/messaging';
import { dataOf } from './event-data.js';

/** Receipts by id. The envelope's exact bytes are kept: they are the leaf of the tenant's log. */
export async function projectReceipts(batch: TenantBatch): Promise<void> {
  const appended = dataOf(events.receiptAppended, batch);
  if (appended.length === 0) return;
  await batch.tx.query(
    `insert into receipt (tenant_id, receipt_id, question_id, generation, receipt_hash, leaf_index, envelope, appended_at)
     select $1, r."receiptId", r."questionId", r.generation, r."receiptHash", r."leafIndex", decode(r.envelope, 'base64'), r."at"
     from jsonb_to_recordset($2::jsonb) as r("receiptId" text, "questionId" text, generation int, "receiptHash" text, "leafIndex" bigint,
       envelope text, "at" timestamptz)
     on conflict do nothing`,
    [batch.tenantId, JSON.stringify(appended)],
  );
}
