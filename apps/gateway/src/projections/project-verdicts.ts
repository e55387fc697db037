import { events } from '@lacuna/events';
import type { TenantBatch } from '@lacuna/messaging';
import { dataOf } from './event-data.js';

/** One verdict per generation; a repetition says the same and changes nothing. Answers the questions that moved. */
export async function projectVerdicts(batch: TenantBatch): Promise<string[]> {
  const reached = dataOf(events.verdictReached, batch);
  if (reached.length === 0) return [];
  await batch.tx.query(
    `insert into verdict (tenant_id, question_id, generation, body, decided_at)
     select $1, r.body ->> 'questionId', (r.body ->> 'generation')::int, r.body, (r.body ->> 'decidedAt')::timestamptz
     from jsonb_array_elements($2::jsonb) as r(body)
     on conflict do nothing`,
    [batch.tenantId, JSON.stringify(reached)],
  );
  return reached.map(({ questionId }) => questionId);
}
