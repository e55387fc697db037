/** Register versions, as gateway publishes them; the first check of a version's controls is due at once, and what it says of gaps is told. */
import { Controller, Inject } from '@nestjs/common';
import { type EncodedEvent, events, isEvent, type RegisterPublished, topics } from '@lacuna/events';
import type { HashedRegister } from '@lacuna/connectors';
import type { JobQueue, TenantBatch, Transaction } from '@lacuna/messaging';
import { keepRegisterVersions, newestRegisters, registerVersions } from '@lacuna/postgres';
import { CLOCK, type Clock, JOB_QUEUE, OnTopic } from '@lacuna/runtime';
import { gapEvents, gapsOf } from './declared-gaps.js';
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
    const gaps = await this.#gapsTold(tx, tenantId, published);
    await keepRegisterVersions(tx, tenantId, published);
    const controlled = published.filter(({ register }) => hasControls(register as unknown as HashedRegister));
    const hashes = [...new Set(controlled.map(({ registerHash }) => registerHash))];
    await this.jobs.enqueue(
      tx,
      hashes.map((hash) => controlJob(tenantId, hash, this.clock.now())),
    );
    return gaps;
  }

  /** Against the newest version before each, by when it was published; a version that comes again says nothing new. */
  async #gapsTold(tx: Transaction, tenantId: string, published: readonly RegisterPublished[]): Promise<EncodedEvent[]> {
    const told: EncodedEvent[] = [];
    const known = await registerVersions(
      tx,
      tenantId,
      published.map(({ registerHash }) => registerHash),
    );
    const newest = await newestRegisters(tx, tenantId, [...new Set(published.map(({ registerName }) => registerName))]);
    for (const one of published.filter(({ registerHash }) => !known.has(registerHash))) {
      const before = newest.get(one.registerName);
      if (before && Date.parse(one.at) <= before.publishedAt.getTime()) continue;
      told.push(...gapEvents(one, before ? gapsOf(before.register) : []));
      newest.set(one.registerName, { register: one.register, publishedAt: new Date(one.at) });
    }
    return told;
  }
}
