/** Works a webhook job: looks at its lease directly before sending, then settles it, gives it back, or gives it up. */
import type { Clock, Database, JobLease, JobQueue, LeasedJob, Transaction } from '@lacuna/messaging';
import type { WebhookSender } from './send-webhook.js';
import { recordDelivery } from './webhook-jobs.js';

/** With these delays, 1 s doubling up to an hour, the last attempt is about 19 hours after the first. */
export const webhookBounds: WebhookBounds = { attemptsMax: 30, retryDelayMs: 1_000, retryDelayMsMax: 3_600_000 };
/** A send takes at most 10 s: with less left of the lease it is not begun. */
const LEASE_LEFT_MS_MIN = 12_000;

export interface WebhookBounds {
  readonly attemptsMax: number;
  readonly retryDelayMs: number;
  readonly retryDelayMsMax: number;
}

export interface DeliverWebhookInput {
  readonly database: Database;
  readonly jobs: JobQueue;
  readonly sender: WebhookSender;
  readonly clock: Clock;
  readonly bounds?: WebhookBounds;
}

export class DeliverWebhook {
  constructor(private readonly input: DeliverWebhookInput) {}

  async run(job: LeasedJob, lease: JobLease): Promise<void> {
    if (lease.remainingMs() < LEASE_LEFT_MS_MIN && !(await lease.stillMine())) return;
    const { database, sender, clock } = this.input;
    const outcome = await sender.send(job.key, job.payload.toString('utf8'), clock.now());
    const problem = outcome.ok ? null : outcome.problem;
    await database.transaction(async (tx) => {
      await tx.actFor(job.tenantId);
      const state = await this.#settle(tx, job, outcome.ok);
      if (state) await recordDelivery(tx, job.tenantId, job.key, { state, attempts: job.attempts, problem }, clock.now());
    });
  }

  /** Null: somebody else has the job. */
  async #settle(tx: Transaction, job: LeasedJob, isAccepted: boolean): Promise<'delivered' | 'given-up' | 'queued' | null> {
    const { jobs, clock, bounds = webhookBounds } = this.input;
    if (isAccepted) return (await jobs.settle(tx, job)) ? 'delivered' : null;
    if (job.attempts >= bounds.attemptsMax) return (await jobs.settle(tx, job)) ? 'given-up' : null;
    const due = new Date(clock.now().getTime() + delayMs(job.attempts, bounds));
    return (await jobs.postpone(tx, job, due)) ? 'queued' : null;
  }
}

/** After the first attempt the first delay, doubled after each further one. */
const delayMs = (attempts: number, { retryDelayMs, retryDelayMsMax }: WebhookBounds): number =>
  Math.min(retryDelayMs * 2 ** Math.min(attempts - 1, 30), retryDelayMsMax);
