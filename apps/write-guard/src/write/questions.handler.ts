/** Questions with the write they want; verdicts that came before their question are settled now. */
import { Controller, Inject } from '@nestjs/common';
import { type EncodedEvent, events, isEvent, topics } from '@lacuna/events';
import type { TenantBatch } from '@lacuna/messaging';
import { OnTopic } from '@lacuna/runtime';
import { keepQuestions } from './question-store.js';
import { SettleWrites } from './settle-writes.js';
import { passGate } from './waiting-store.js';

@Controller()
export class QuestionsHandler {
  constructor(@Inject(SettleWrites) private readonly writes: SettleWrites) {}

  @OnTopic(topics.questions)
  async handle({ tx, tenantId, events: received }: TenantBatch): Promise<readonly EncodedEvent[]> {
    const asked = received.flatMap((event) => (isEvent(events.questionAsked, event) ? [event.data] : []));
    if (asked.length === 0) return [];
    await passGate(tx, tenantId);
    await keepQuestions(tx, tenantId, asked);
    return this.writes.arrived(tx, tenantId, { questionIds: asked.map(({ questionId }) => questionId) });
  }
}
