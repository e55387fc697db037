/** Register versions. Generations that waited for one are decided by a job: there may be more of them than one transaction can take. */
import { Controller, Inject } from '@nestjs/common';
import { type EncodedEvent, events, isEvent, topics } from '@lacuna/events';
import type { JobQueue, TenantBatch } from '@lacuna/messaging';
import { keepRegisterVersions } from '@lacuna/postgres';
import { CLOCK, type Clock, JOB_QUEUE, OnTopic } from '@lacuna/runtime';
import { waitingQueue } from './decide-waiting.js';
import { awaitedHashes } from './generation-store.js';
import { lockArrivals } from './register-arrival.js';

@Controller()
export class RegistersHandler {
  constructor(
    @Inject(JOB_QUEUE) private readonly jobs: JobQueue,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @OnTopic(topics.registers)
  async handle({ tx, tenantId, events: received }: TenantBatch): Promise<readonly EncodedEvent[]> {
    const published = received.flatMap((event) => (isEvent(events.registerPublished, event) ? [event.data] : []));
    const hashes = published.map((register) => register.registerHash);
    await lockArrivals(tx, tenantId, hashes);
    await keepRegisterVersions(tx, tenantId, published);
    const awaited = await awaitedHashes(tx, tenantId, hashes);
    const job = { queue: waitingQueue, tenantId, payload: Buffer.alloc(0), availableAt: this.clock.now() };
    await this.jobs.enqueue(
      tx,
      awaited.map((hash) => ({ ...job, key: hash })),
    );
    return [];
  }
}
