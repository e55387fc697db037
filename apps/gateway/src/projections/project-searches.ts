import { events } from '@lacuna/events';
import type { TenantBatch } from '@lacuna/messaging';
import { dataOf } from './event-data.js';

/** `search.started` makes the generation known before any page is read; it belongs to no attempt. */
const NO_ATTEMPT = '';

/**
 * How far the reading is: pages per attempt. A page's sequence number says how many there are, so a repetition counts nothing twice.
 */
export async function projectSearches(batch: TenantBatch): Promise<void> {
  const started = dataOf(events.searchStarted, batch).map(({ questionId, generation }) => ({
    questionId,
    generation,
    attemptId: NO_ATTEMPT,
    pages: 0,
  }));
  const read = dataOf(events.pageRead, batch).map(({ questionId, generation, attemptId, sequence }) => ({
    questionId,
    generation,
    attemptId,
    pages: sequence + 1,
  }));
  if (started.length + read.length === 0) return;
  await batch.tx.query(
    `insert into search_progress as p (tenant_id, question_id, generation, attempt_id, pages)
     select $1, r."questionId", r.generation, r."attemptId", max(r.pages)
     from jsonb_to_recordset($2::jsonb) as r("questionId" text, generation int, "attemptId" text, pages int)
     group by 2, 3, 4 order by 2, 3, 4
     on conflict (tenant_id, question_id, generation, attempt_id) do update set pages = excluded.pages where p.pages < excluded.pages`,
    [batch.tenantId, JSON.stringify([...started, ...read])],
  );
}
