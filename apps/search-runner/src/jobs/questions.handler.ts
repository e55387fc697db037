/** `question.asked` and `question.rerun` become generations and jobs, in topic order. */
import { Controller, Inject } from '@nestjs/common';
import { type EncodedEvent, events, isEvent, type QuestionAsked, type QuestionRerun, topics } from '@lacuna/events';
import type { JobQueue, TenantBatch } from '@lacuna/messaging';
import { CLOCK, type Clock, JOB_QUEUE, OnTopic } from '@lacuna/runtime';
import { type Asking, numberGenerations } from './number-generations.js';
import { keepGenerations, knownQuestions } from './question-store.js';
import { encodeJob, jobKey, searchQueue } from './search-job.js';

@Controller()
export class QuestionsHandler {
  constructor(
    @Inject(JOB_QUEUE) private readonly jobs: JobQueue,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @OnTopic(topics.questions)
  async handle({ tx, tenantId, events: received }: TenantBatch): Promise<readonly EncodedEvent[]> {
    const askings = received.flatMap((event): Asking[] => {
      if (isEvent(events.questionAsked, event)) return [{ type: 'asked', data: event.data as QuestionAsked }];
      return isEvent(events.questionRerun, event) ? [{ type: 'rerun', data: event.data as QuestionRerun }] : [];
    });
    const known = await knownQuestions(
      tx,
      tenantId,
      askings.map((asking) => asking.data.questionId),
    );
    const numbered = numberGenerations(known, askings);
    if (numbered.generations.length === 0) return [];
    await keepGenerations(tx, tenantId, numbered);
    const availableAt = this.clock.now();
    await this.jobs.enqueue(
      tx,
      numbered.generations.map(({ job }) => ({
        queue: searchQueue,
        tenantId,
        key: jobKey(job.question.questionId, job.generation),
        payload: encodeJob(job),
        availableAt,
      })),
    );
    return [];
  }
}
