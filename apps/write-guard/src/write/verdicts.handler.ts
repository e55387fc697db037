/** Verdicts: each is one attempt of the write that its question wants. */
import { Controller, Inject } from '@nestjs/common';
import { type EncodedEvent, events, isEvent, topics } from '@lacuna/events';
import type { TenantBatch } from '@lacuna/messaging';
import { OnTopic } from '@lacuna/runtime';
import { SettleWrites } from './settle-writes.js';

@Controller()
export class VerdictsHandler {
  constructor(@Inject(SettleWrites) private readonly writes: SettleWrites) {}

  @OnTopic(topics.verdicts)
  handle({ tx, tenantId, events: received }: TenantBatch): Promise<readonly EncodedEvent[]> {
    const reached = received.flatMap((event) => (isEvent(events.verdictReached, event) ? [[event.data, event] as const] : []));
    return this.writes.reached(tx, tenantId, new Map(reached));
  }
}
