/** Register versions with their policies and targets; verdicts that came before their register are settled now. */
import { Controller, Inject } from '@nestjs/common';
import { type EncodedEvent, events, isEvent, topics } from '@lacuna/events';
import type { TenantBatch } from '@lacuna/messaging';
import { keepRegisterVersions } from '@lacuna/postgres';
import { OnTopic } from '@lacuna/runtime';
import { SettleVerdicts } from './settle-verdicts.js';
import { passGate } from './waiting-store.js';

@Controller()
export class RegistersHandler {
  constructor(@Inject(SettleVerdicts) private readonly verdicts: SettleVerdicts) {}

  @OnTopic(topics.registers)
  async handle({ tx, tenantId, events: received }: TenantBatch): Promise<readonly EncodedEvent[]> {
    const published = received.flatMap((event) => (isEvent(events.registerPublished, event) ? [event.data] : []));
    await passGate(tx, tenantId);
    await keepRegisterVersions(tx, tenantId, published);
    return this.verdicts.arrived(tx, tenantId, { registerHashes: published.map(({ registerHash }) => registerHash) });
  }
}
