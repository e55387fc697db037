/** A verdict opens or refuses the write that its question wants. */
import { Controller, Inject } from '@nestjs/common';
import { type EncodedEvent, events, isEvent, topics } from '@lacuna/events';
import type { TenantBatch } from '@lacuna/messaging';
import { CLOCK, type Clock, OnTopic } from '@lacuna/runtime';
import { settleVerdicts } from './settle-verdicts.js';

@Controller()
export class VerdictsHandler {
  constructor(@Inject(CLOCK) private readonly clock: Clock) {}

  @OnTopic(topics.verdicts)
  handle({ tx, tenantId, events: received }: TenantBatch): Promise<readonly EncodedEvent[]> {
    const verdicts = received.flatMap((event) => (isEvent(events.verdictReached, event) ? [event.data] : []));
    return settleVerdicts(tx, tenantId, verdicts, this.clock.now());
  }
}
