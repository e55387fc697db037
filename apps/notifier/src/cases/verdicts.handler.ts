/** Verdicts that need a person become cases; holds that heal by waiting become reruns first. */
import { Controller, Inject } from '@nestjs/common';
import { type CaseOpened, type EncodedEvent, events, isEvent, topics, type VerdictReached } from '@lacuna/events';
import type { JobQueue, TenantBatch } from '@lacuna/messaging';
import { CLOCK, type Clock, JOB_QUEUE, OnTopic, SERVICE_CONFIG, type ServiceConfig } from '@lacuna/runtime';
import { closeOlder, noteNewest } from './case-store.js';
import { encodeHold, holdKey, holdQueue } from './hold-jobs.js';
import { judgeVerdict } from './judge-verdict.js';
import { closedEvents, open } from './open-cases.js';

@Controller()
export class VerdictsHandler {
  constructor(
    @Inject(JOB_QUEUE) private readonly jobs: JobQueue,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(SERVICE_CONFIG) private readonly config: ServiceConfig,
  ) {}

  @OnTopic(topics.verdicts)
  async handle({ tx, tenantId, events: received }: TenantBatch): Promise<readonly EncodedEvent[]> {
    const verdicts = received.flatMap((event) => (isEvent(events.verdictReached, event) ? [event.data] : []));
    if (verdicts.length === 0) return [];
    const now = this.clock.now();
    const newest = await noteNewest(tx, tenantId, verdicts);
    const closed = await closeOlder(tx, tenantId, newest, now);
    const cases: CaseOpened[] = [];
    const holds: VerdictReached[] = [];
    for (const verdict of verdicts) {
      if (verdict.generation < (newest.get(verdict.questionId) ?? 0)) continue;
      const judgement = judgeVerdict(verdict, now);
      if (judgement.type === 'case') cases.push(judgement.opened);
      if (judgement.type === 'hold-that-heals') holds.push(verdict);
    }
    await this.jobs.enqueue(
      tx,
      holds.map((verdict) => ({ queue: holdQueue, tenantId, key: holdKey(verdict), payload: encodeHold(verdict), availableAt: now })),
    );
    const opened = await open(tx, tenantId, cases, { jobs: this.jobs, webhookUrl: this.config.webhookUrl, now });
    return [...closedEvents(tenantId, closed, 'superseded', now), ...opened];
  }
}
