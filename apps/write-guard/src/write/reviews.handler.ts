/** What people decide on authorisations. */
import { Controller, Inject } from '@nestjs/common';
import { type EncodedEvent, events, isEvent, topics } from '@lacuna/events';
import type { TenantBatch } from '@lacuna/messaging';
import { OnTopic } from '@lacuna/runtime';
import { SettleWrites } from './settle-writes.js';

@Controller()
export class ReviewsHandler {
  constructor(@Inject(SettleWrites) private readonly writes: SettleWrites) {}

  @OnTopic(topics.reviews)
  handle({ tx, tenantId, events: received }: TenantBatch): Promise<readonly EncodedEvent[]> {
    const decided = received.flatMap((event) => (isEvent(events.authorisationDecided, event) ? [event.data] : []));
    return this.writes.decided(tx, tenantId, decided);
  }
}
