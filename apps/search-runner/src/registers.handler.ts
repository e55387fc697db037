/** Register versions, as gateway publishes them; the first check of a version's controls is due at once. */
import { Controller, Inject } from '@nestjs/common';
import { type EncodedEvent, events, isEvent, topics } from '@lacuna/events';
import type { HashedRegister } from '@lacuna/connectors';
import type { JobQueue, TenantBatch } from '@lacuna/messaging';
import { keepRegisterVersions } from '@lacuna/postgres';
import { CLOCK, type Clock, JOB_QUEUE, OnTopic } from '@lacuna/runtime';
import { controlJob, hasControls } from './controls/control-job.js';

@Controller()
export class RegistersHandler {
  constructor(
    @Inject(JOB_QUEUE) private readonly jobs: JobQueue,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @OnTopic(topics.registers)
  async handle({ tx, tenantId, events: received }: TenantBatch): Promise<readonly EncodedEvent[]> {
    const published = received.flatMap((event) => (isEvent(events.registerPublished, event) ? [event.data] : []));
    await keepRegisterVersions(tx, tenantId, published);
    const controlled = published.filter(({ register }) => hasControls(register as unknown as HashedRegister));
    const hashes = [...new Set(controlled.map(({ registerHash }) => registerHash))];
    await this.jobs.enqueue(
      tx,
      hashes.map((hash) => controlJob(tenantId, hash, this.clock.now())),
    );
    return [];
  }
}
