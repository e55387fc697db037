/** A person's decision closes its case, and an exception that of the hold whose risk it accepts. */
import { Controller, Inject } from '@nestjs/common';
import { type EncodedEvent, events, isEvent, topics } from '@lacuna/events';
import type { TenantBatch } from '@lacuna/messaging';
import { CLOCK, type Clock, OnTopic } from '@lacuna/runtime';
import { closeCase, closeHold } from './case-store.js';
import { closedEvents } from './open-cases.js';

@Controller()
export class ReviewsHandler {
  constructor(@Inject(CLOCK) private readonly clock: Clock) {}

  @OnTopic(topics.reviews)
  async handle({ tx, tenantId, events: received }: TenantBatch): Promise<readonly EncodedEvent[]> {
    const now = this.clock.now();
    const published: EncodedEvent[] = [];
    for (const event of received) {
      if (isEvent(events.exceptionGranted, event)) {
        const { questionId, generation } = event.data;
        published.push(
          ...closedEvents(tenantId, await closeHold(tx, tenantId, { questionId, generation }, 'excepted', now), 'excepted', now),
        );
      }
      if (!isEvent(events.reviewDecided, event)) continue;
      const { caseId, decision } = event.data;
      published.push(...closedEvents(tenantId, await closeCase(tx, tenantId, caseId, decision, now), decision, now));
    }
    return published;
  }
}
