/** A message of a question that lies in a dead-letter topic blocks its permits until it is cleared; what waited is settled then. */
import { Controller, Inject } from '@nestjs/common';
import { type EncodedEvent, events, isEvent, topics } from '@lacuna/events';
import type { TenantBatch } from '@lacuna/messaging';
import { OnTopic } from '@lacuna/runtime';
import { clearStalled, markStalled } from './question-store.js';
import { SettleWrites } from './settle-writes.js';
import { passGate } from './waiting-store.js';

@Controller()
export class DeliveriesHandler {
  constructor(@Inject(SettleWrites) private readonly writes: SettleWrites) {}

  @OnTopic(topics.deliveries)
  async handle({ tx, tenantId, events: received }: TenantBatch): Promise<readonly EncodedEvent[]> {
    const stalled = received.flatMap((event) => (isEvent(events.deliveryStalled, event) ? [event.data] : []));
    const cleared = received.flatMap((event) => (isEvent(events.deliveryCleared, event) ? [event.data] : []));
    await passGate(tx, tenantId);
    if (stalled.length > 0) await markStalled(tx, tenantId, stalled);
    if (cleared.length === 0) return [];
    await clearStalled(tx, tenantId, cleared);
    return this.writes.cleared(
      tx,
      tenantId,
      cleared.map(({ questionId }) => questionId),
    );
  }
}
