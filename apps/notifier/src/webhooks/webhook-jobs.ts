/** Webhooks are jobs: queued with the case, sent by a leased worker, at least once, under one message id. */
import type { CaseOpened } from '@lacuna/events';
import type { JobQueue, Transaction } from '@lacuna/messaging';

export const webhookQueue = 'webhook';

export async function queueWebhooks(
  tx: Transaction,
  tenantId: string,
  cases: readonly CaseOpened[],
  jobs: JobQueue,
  now: Date,
): Promise<void> {
  await jobs.enqueue(
    tx,
    cases.map((opened) => ({ queue: webhookQueue, tenantId, key: opened.caseId, payload: Buffer.from(bodyOf(opened)), availableAt: now })),
  );
  await tx.query(
    `insert into delivery (tenant_id, case_id, channel, state, at) select $1, c, 'webhook', 'queued', $3 from unnest($2::text[]) as c
     on conflict do nothing`,
    [tenantId, cases.map((opened) => opened.caseId), now],
  );
}

/** Records the outcome of an attempt. */
export async function recordDelivery(
  tx: Transaction,
  tenantId: string,
  caseId: string,
  outcome: { readonly state: 'queued' | 'delivered' | 'given-up'; readonly attempts: number; readonly problem: string | null },
  now: Date,
): Promise<void> {
  await tx.query(
    `update delivery set state = $4, attempts = $5, last_problem = $6, at = $7 where tenant_id = $1 and case_id = $2 and channel = $3`,
    [tenantId, caseId, 'webhook', outcome.state, outcome.attempts, outcome.problem, now],
  );
}

/** The body, once and for all attempts the same bytes. */
function bodyOf(opened: CaseOpened): string {
  const { caseId, tenantId, questionId, generation, registerName, subject, owner, reasons, receiptId, statement, openedAt } = opened;
  return JSON.stringify({
    type: 'case.opened',
    timestamp: openedAt,
    data: { caseId, tenantId, questionId, generation, register: registerName, subject, owner, reasons, receiptId, statement },
  });
}
