/**
 * Which service reads which topics. The services' own definitions say the same and no app may import another: a test compares the two, and a
 * service whose topic is missing refuses to start.
 */
import { topics, type Service, type TopicName } from '@lacuna/events';

export interface Reader {
  readonly name: Service;
  readonly consumes: readonly TopicName[];
}

export const readers: readonly Reader[] = [
  {
    name: 'gateway',
    consumes: [topics.searches, topics.verdicts, topics.receipts, topics.writes, topics.reviews, topics.deliveries],
  },
  { name: 'search-runner', consumes: [topics.questions, topics.registers] },
  { name: 'verdict', consumes: [topics.searches, topics.registers] },
  { name: 'write-guard', consumes: [topics.questions, topics.verdicts, topics.registers, topics.reviews, topics.deliveries] },
  { name: 'notifier', consumes: [topics.verdicts, topics.reviews, topics.deliveries, topics.questions, topics.registers] },
];
