/** Opens cases in the caller's transaction: case file, event, and one webhook each. */
import { type CaseOpened, type EncodedEvent, encodeEvent, events } from '@lacuna/events';
import type { JobQueue, Transaction } from '@lacuna/messaging';
import { queueWebhooks } from '../webhooks/webhook-jobs.js';
import { type ClosedCase, openCases } from './case-store.js';

export interface Opening {
  readonly jobs: JobQueue;
  /** Null: no webhook is configured. */
  readonly webhookUrl: string | null;
  readonly now: Date;
}

export async function open(tx: Transaction, tenantId: string, cases: readonly CaseOpened[], opening: Opening): Promise<EncodedEvent[]> {
  const fresh = await openCases(tx, tenantId, cases);
  if (fresh.length === 0) return [];
  if (opening.webhookUrl !== null) await queueWebhooks(tx, tenantId, fresh, opening.jobs, opening.now);
  return fresh.map((opened) => encodeEvent(events.caseOpened, opened, 'notifier'));
}

export const closedEvents = (tenantId: string, cases: readonly ClosedCase[], outcome: string, now: Date): EncodedEvent[] =>
  cases.map(({ caseId, questionId }) =>
    encodeEvent(events.caseClosed, { tenantId, questionId, caseId, outcome, at: now.toISOString() }, 'notifier'),
  );
