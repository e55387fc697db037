/** A message of a question that lies in a dead-letter topic blocks its permits until it is cleared. */
import { Controller } from '@nestjs/common';
import { type EncodedEvent, events, isEvent, topics } from '@lacuna/events';
import type { TenantBatch } from '@lacuna/messaging';
import { OnTopic } from '@lacuna/runtime';
import { clearStalled, markStalled } from './question-store.js';

@Controller()
export class DeliveriesHandler {
  @OnTopic(topics.deliveries)
  async handle({ tx, tenantId, events: received }: TenantBatch): Promise<readonly EncodedEvent[]> {
    for (const event of received) {
      if (isEvent(events.deliveryStalled, event)) await markStalled(tx, tenantId, [event.data]);
      if (isEvent(events.deliveryCleared, event)) await clearStalled(tx, tenantId, [event.data]);
    }
    return [];
  }
}
