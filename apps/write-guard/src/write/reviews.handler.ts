/** What people decide on authorisations, and the exceptions they make. */
import { Controller, Inject } from '@nestjs/common';
import { type EncodedEvent, events, isEvent, topics } from '@lacuna/events';
import type { JobQueue, TenantBatch } from '@lacuna/messaging';
import { CLOCK, type Clock, JOB_QUEUE, OnTopic } from '@lacuna/runtime';
import { exceptionJobsOf } from './exception-jobs.js';
import { SettleWrites } from './settle-writes.js';

@Controller()
export class ReviewsHandler {
  constructor(
    @Inject(SettleWrites) private readonly writes: SettleWrites,
    @Inject(JOB_QUEUE) private readonly jobs: JobQueue,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @OnTopic(topics.reviews)
  async handle({ tx, tenantId, events: received }: TenantBatch): Promise<readonly EncodedEvent[]> {
    const excepted = received.flatMap((event) => (isEvent(events.exceptionGranted, event) ? [event.data] : []));
    await this.jobs.enqueue(tx, exceptionJobsOf(tenantId, excepted, this.clock.now()));
    const decided = received.flatMap((event) => (isEvent(events.authorisationDecided, event) ? [event.data] : []));
    return this.writes.decided(tx, tenantId, decided);
  }
}
