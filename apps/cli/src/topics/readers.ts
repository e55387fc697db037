/**
 * Which service reads which topics, and which of them it can be given again. The services' own definitions say the same and no app may import another: a test compares the two, and a
 * service whose topic is missing refuses to start.
 */
import { topics, type Service, type TopicName } from '@lacuna/events';

export interface Reader {
  readonly name: Service;
  readonly consumes: readonly TopicName[];
  /** Topics that only fill tables of this schema, which a replay empties and fills again. */
  readonly replays?: { readonly schema: string; readonly tables: Readonly<Partial<Record<TopicName, readonly string[]>>> };
}

export const readers: readonly Reader[] = [
  {
    name: 'gateway',
    consumes: [topics.searches, topics.verdicts, topics.receipts, topics.writes, topics.reviews, topics.deliveries],
    replays: {
      schema: 'gateway',
      tables: {
        [topics.searches]: ['search_progress'],
        [topics.verdicts]: ['verdict'],
        [topics.receipts]: ['receipt'],
        [topics.writes]: ['authorisation', 'write_answer'],
        [topics.reviews]: ['review_case'],
        [topics.deliveries]: ['stalled_delivery'],
      },
    },
  },
  { name: 'search-runner', consumes: [topics.questions, topics.registers] },
  { name: 'verdict', consumes: [topics.searches, topics.registers] },
  { name: 'write-guard', consumes: [topics.questions, topics.verdicts, topics.registers, topics.reviews, topics.deliveries] },
  { name: 'notifier', consumes: [topics.verdicts, topics.reviews, topics.deliveries, topics.questions, topics.registers] },
];
