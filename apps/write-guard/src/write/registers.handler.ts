/** Register versions with their policies and targets; verdicts that came before their register are settled now. */
import { Controller, Inject } from '@nestjs/common';
import { type EncodedEvent, events, isEvent, topics } from '@lacuna/events';
import type { TenantBatch } from '@lacuna/messaging';
import { keepRegisterVersions } from '@lacuna/postgres';
import { OnTopic } from '@lacuna/runtime';
import { SettleWrites } from './settle-writes.js';
import { passGate } from './waiting-store.js';

@Controller()
export class RegistersHandler {
  constructor(@Inject(SettleWrites) private readonly writes: SettleWrites) {}

  @OnTopic(topics.registers)
  async handle({ tx, tenantId, events: received }: TenantBatch): Promise<readonly EncodedEvent[]> {
    const published = received.flatMap((event) => (isEvent(events.registerPublished, event) ? [event.data] : []));
    await passGate(tx, tenantId);
    await keepRegisterVersions(tx, tenantId, published);
    return this.writes.arrived(tx, tenantId, { registerHashes: published.map(({ registerHash }) => registerHash) });
  }
}
