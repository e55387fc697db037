/** A message in a dead-letter topic needs a person; a cleared one does not any more. */
import { Controller, Inject } from '@nestjs/common';
import { type CaseOpened, type DeliveryStalled, type EncodedEvent, events, isEvent, topics } from '@lacuna/events';
import type { JobQueue, TenantBatch } from '@lacuna/messaging';
import { CLOCK, type Clock, JOB_QUEUE, OnTopic, SERVICE_CONFIG, type ServiceConfig } from '@lacuna/runtime';
import { closeCase, ownerOf } from './case-store.js';
import { caseIdOf } from './judge-verdict.js';
import { closedEvents, open } from './open-cases.js';

@Controller()
export class DeliveriesHandler {
  constructor(
    @Inject(JOB_QUEUE) private readonly jobs: JobQueue,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(SERVICE_CONFIG) private readonly config: ServiceConfig,
  ) {}

  @OnTopic(topics.deliveries)
  async handle({ tx, tenantId, events: received }: TenantBatch): Promise<readonly EncodedEvent[]> {
    const now = this.clock.now();
    const published: EncodedEvent[] = [];
    for (const event of received) {
      if (isEvent(events.deliveryStalled, event)) {
        const owner = await ownerOf(tx, tenantId, event.data.questionId);
        const opening = { jobs: this.jobs, webhookUrl: this.config.webhookUrl, now };
        published.push(...(await open(tx, tenantId, [stalledCase(event.data, owner, now)], opening)));
      }
      if (isEvent(events.deliveryCleared, event)) {
        const { questionId, group, message } = event.data;
        const closed = await closeCase(tx, tenantId, caseIdOf(tenantId, questionId, `${group} ${message}`), 'cleared', now);
        published.push(...closedEvents(tenantId, closed, 'cleared', now));
      }
    }
    return published;
  }
}

function stalledCase(stalled: DeliveryStalled, known: { registerName: string; owner: string } | null, now: Date): CaseOpened {
  const { tenantId, questionId, group, message, reason } = stalled;
  return {
    tenantId,
    questionId,
    generation: 1,
    caseId: caseIdOf(tenantId, questionId, `${group} ${message}`),
    subject: 'delivery-stalled',
    registerName: known?.registerName ?? 'unknown',
    owner: known?.owner ?? 'operator',
    reasons: [{ code: reason, source: null }],
    records: [],
    receiptId: null,
    statement: `A message of this question (${message}) could not be handled by ${group} and lies in its dead-letter topic: no write is permitted until it is requeued.`,
    openedAt: now.toISOString(),
  };
}
