/** Register versions; generations that waited for one are decided now. */
import { randomBytes } from 'node:crypto';
import { Controller, Inject } from '@nestjs/common';
import { type EncodedEvent, events, isEvent, topics } from '@lacuna/events';
import type { TenantBatch } from '@lacuna/messaging';
import { keepRegisterVersions } from '@lacuna/postgres';
import type { SigningKey } from '@lacuna/receipts';
import { CLOCK, type Clock, OnTopic } from '@lacuna/runtime';
import { decideGenerations } from './decide-generations.js';
import { waitingFor } from './generation-store.js';
import { SIGNING_KEY } from './signing-key.js';

const SALT_BYTES = 32;
/** Waiting generations that one arrival decides at most. */
const WAITING_MAX = 10_000;

@Controller()
export class RegistersHandler {
  constructor(
    @Inject(SIGNING_KEY) private readonly signingKey: SigningKey,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @OnTopic(topics.registers)
  async handle({ tx, tenantId, events: received }: TenantBatch): Promise<readonly EncodedEvent[]> {
    const published = received.flatMap((event) => (isEvent(events.registerPublished, event) ? [event.data] : []));
    await keepRegisterVersions(tx, tenantId, published);
    const hashes = published.map((register) => register.registerHash);
    const generations = await waitingFor(tx, tenantId, hashes, WAITING_MAX);
    const now = this.clock.now();
    return decideGenerations({ tx, tenantId, generations, signingKey: this.signingKey, newSalt: () => randomBytes(SALT_BYTES), now });
  }
}
