import { events } from '@lacuna/events';
import type { TenantBatch } from '@lacuna/messaging';
import { dataOf } from './event-data.js';

/** Messages that could not be handled, until they are cleared. A repeated stall never undoes a clearing. */
export async function projectDeliveries(batch: TenantBatch): Promise<void> {
  const stalled = dataOf(events.deliveryStalled, batch);
  const cleared = dataOf(events.deliveryCleared, batch);
  if (stalled.length > 0) await upsert(batch, 'stalled_at', stalled);
  if (cleared.length > 0) await upsert(batch, 'cleared_at', cleared);
}

async function upsert({ tx, tenantId }: TenantBatch, column: 'stalled_at' | 'cleared_at', messages: readonly object[]): Promise<void> {
  await tx.query(
    `insert into stalled_delivery as s (tenant_id, question_id, consumer_group, message, ${column})
     select $1, r."questionId", r."group", r.message, min(r."at")
     from jsonb_to_recordset($2::jsonb) as r("questionId" text, "group" text, message text, "at" timestamptz)
     group by 2, 3, 4 order by 2, 3, 4
     on conflict (tenant_id, question_id, consumer_group, message) do update set ${column} = coalesce(s.${column}, excluded.${column})`,
    [tenantId, JSON.stringify(messages)],
  );
}
