/** Register versions, as gateway publishes them. */
import { Controller } from '@nestjs/common';
import { type EncodedEvent, events, isEvent, topics } from '@lacuna/events';
import type { TenantBatch } from '@lacuna/messaging';
import { keepRegisterVersions } from '@lacuna/postgres';
import { OnTopic } from '@lacuna/runtime';

@Controller()
export class RegistersHandler {
  @OnTopic(topics.registers)
  async handle({ tx, tenantId, events: received }: TenantBatch): Promise<readonly EncodedEvent[]> {
    const published = received.flatMap((event) => (isEvent(events.registerPublished, event) ? [event.data] : []));
    await keepRegisterVersions(tx, tenantId, published);
    return [];
  }
}
