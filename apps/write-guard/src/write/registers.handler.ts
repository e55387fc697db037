/** Register versions with their policies and targets; verdicts that came before their register are settled now. */
import { Controller, Inject } from '@nestjs/common';
import { type EncodedEvent, events, isEvent, topics } from '@lacuna/events';
import type { TenantBatch } from '@lacuna/messaging';
import { keepRegisterVersions } from '@lacuna/postgres';
import { CLOCK, type Clock, OnTopic } from '@lacuna/runtime';
import { takeWaiting } from './question-store.js';
import { settleVerdicts } from './settle-verdicts.js';

@Controller()
export class RegistersHandler {
  constructor(@Inject(CLOCK) private readonly clock: Clock) {}

  @OnTopic(topics.registers)
  async handle({ tx, tenantId, events: received }: TenantBatch): Promise<readonly EncodedEvent[]> {
    const published = received.flatMap((event) => (isEvent(events.registerPublished, event) ? [event.data] : []));
    await keepRegisterVersions(tx, tenantId, published);
    const waiting = await takeWaiting(tx, tenantId, { questionIds: [], registerHashes: published.map((register) => register.registerHash) });
    return settleVerdicts(tx, tenantId, waiting, this.clock.now());
  }
}
