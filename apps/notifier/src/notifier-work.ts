/** Runs the workers of holds and webhooks for as long as the service runs. */
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { type Database, type DeliveryLogger, type EventPublisher, type JobQueue, JobWorker } from '@lacuna/messaging';
import { CLOCK, type Clock, DATABASE, JOB_QUEUE, LOGGER, PUBLISHER, SERVICE_CONFIG, type ServiceConfig } from '@lacuna/runtime';
import { HealHold } from './cases/heal-hold.js';
import { holdQueue } from './cases/hold-jobs.js';
import { DeliverWebhook } from './webhooks/deliver-webhook.js';
import { WebhookSender } from './webhooks/send-webhook.js';
import { webhookQueue } from './webhooks/webhook-jobs.js';

@Injectable()
export class NotifierWork implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #workers: JobWorker[];
  readonly #sender: WebhookSender | null;

  constructor(
    @Inject(DATABASE) database: Database,
    @Inject(JOB_QUEUE) jobs: JobQueue,
    @Inject(PUBLISHER) publisher: EventPublisher,
    @Inject(CLOCK) clock: Clock,
    @Inject(SERVICE_CONFIG) config: ServiceConfig,
    @Inject(LOGGER) logger: DeliveryLogger,
  ) {
    const parts = { database, jobs, clock, logger };
    const holds = new HealHold({ ...parts, publisher, webhookUrl: config.webhookUrl });
    this.#sender = senderOf(config);
    const webhooks = this.#sender ? new DeliverWebhook({ ...parts, sender: this.#sender }) : null;
    this.#workers = [
      new JobWorker({ ...parts, queue: holdQueue, run: (job) => holds.run(job) }),
      ...(webhooks ? [new JobWorker({ ...parts, queue: webhookQueue, run: (job, lease) => webhooks.run(job, lease) })] : []),
    ];
  }

  onApplicationBootstrap(): void {
    for (const worker of this.#workers) worker.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.stop()));
    await this.#sender?.close();
  }
}

function senderOf(config: ServiceConfig): WebhookSender | null {
  if (config.webhookUrl === null) return null;
  if (config.webhookSecret === null)
    throw new Error('LACUNA_WEBHOOK_URL is set without LACUNA_WEBHOOK_SECRET: a webhook is never sent unsigned');
  return new WebhookSender({
    url: config.webhookUrl,
    secret: config.webhookSecret,
    egress: { hosts: new Set(config.egressAllow.map((host) => host.toLowerCase())), networks: [] },
  });
}
