/** Which register a question is about, for the cases of stalled deliveries. */
import { Controller } from '@nestjs/common';
import { type EncodedEvent, events, isEvent, topics } from '@lacuna/events';
import type { TenantBatch } from '@lacuna/messaging';
import { OnTopic } from '@lacuna/runtime';
import { keepQuestions } from './cases/case-store.js';

@Controller()
export class QuestionsHandler {
  @OnTopic(topics.questions)
  async handle({ tx, tenantId, events: received }: TenantBatch): Promise<readonly EncodedEvent[]> {
    const asked = received.flatMap((event) => (isEvent(events.questionAsked, event) ? [event.data] : []));
    if (asked.length > 0) await keepQuestions(tx, tenantId, asked);
    return [];
  }
}
