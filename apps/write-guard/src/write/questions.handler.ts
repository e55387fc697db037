/** Questions with the write they want; verdicts that came before their question are settled now. */
import { Controller, Inject } from '@nestjs/common';
import { type EncodedEvent, events, isEvent, topics } from '@lacuna/events';
import type { TenantBatch } from '@lacuna/messaging';
import { CLOCK, type Clock, OnTopic } from '@lacuna/runtime';
import { keepQuestions, takeWaiting } from './question-store.js';
import { settleVerdicts } from './settle-verdicts.js';

@Controller()
export class QuestionsHandler {
  constructor(@Inject(CLOCK) private readonly clock: Clock) {}

  @OnTopic(topics.questions)
  async handle({ tx, tenantId, events: received }: TenantBatch): Promise<readonly EncodedEvent[]> {
    const asked = received.flatMap((event) => (isEvent(events.questionAsked, event) ? [event.data] : []));
    if (asked.length === 0) return [];
    await keepQuestions(tx, tenantId, asked);
    const waiting = await takeWaiting(tx, tenantId, { questionIds: asked.map((question) => question.questionId), registerHashes: [] });
    return settleVerdicts(tx, tenantId, waiting, this.clock.now());
  }
}
