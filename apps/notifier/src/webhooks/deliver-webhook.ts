/** Works a webhook job: looks at its lease directly before sending, then settles it, gives it back, or gives it up. */
import type { Clock, Database, JobLease, JobQueue, LeasedJob } from '@lacuna/messaging';
import type { WebhookSender } from './send-webhook.js';
import { recordDelivery } from './webhook-jobs.js';

/** With the delays below: about a day. */
export const WEBHOOK_ATTEMPTS_MAX = 30;
const RETRY_DELAY_MS = 1_000;
const RETRY_DELAY_MS_MAX = 3_600_000;
/** A send takes at most 10 s: with less left of the lease it is not begun. */
const LEASE_LEFT_MS_MIN = 12_000;

export interface DeliverWebhookInput {
  readonly database: Database;
  readonly jobs: JobQueue;
  readonly sender: WebhookSender;
  readonly clock: Clock;
}

export class DeliverWebhook {
  constructor(private readonly input: DeliverWebhookInput) {}

  async run(job: LeasedJob, lease: JobLease): Promise<void> {
    if (lease.remainingMs() < LEASE_LEFT_MS_MIN && !(await lease.stillMine())) return;
    const { database, jobs, sender, clock } = this.input;
    const outcome = await sender.send(job.key, job.payload.toString('utf8'), clock.now());
    const now = clock.now();
    await database.transaction(async (tx) => {
      await tx.actFor(job.tenantId);
      const givenUp = !outcome.ok && job.attempts >= WEBHOOK_ATTEMPTS_MAX;
      const mine =
        outcome.ok || givenUp ? await jobs.settle(tx, job) : await jobs.postpone(tx, job, new Date(now.getTime() + delayMs(job.attempts)));
      if (!mine) return;
      const state = outcome.ok ? 'delivered' : givenUp ? 'given-up' : 'queued';
      await recordDelivery(tx, job.tenantId, job.key, { state, attempts: job.attempts, problem: outcome.ok ? null : outcome.problem }, now);
    });
  }
}

const delayMs = (attempts: number): number => Math.min(RETRY_DELAY_MS * 2 ** Math.min(attempts, 20), RETRY_DELAY_MS_MAX);
