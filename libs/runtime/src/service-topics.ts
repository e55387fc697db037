/** Which topics a service needs. */
import { eventDefinitions, topicRetention, topics, type TopicName } from '@lacuna/events';
import { deadLetterTopic, type TopicSettings } from '@lacuna/messaging';
import type { ServiceDefinition } from './service-definition.js';

const DEAD_LETTER_RETENTION_MS = 30 * 86_400_000;

type Reader = Pick<ServiceDefinition, 'name' | 'consumes'>;

/** Settings of the topics that the service reads and writes, and of its dead-letter topics. */
export function topicsOf(service: Reader, partitions: number): TopicSettings[] {
  const produced = eventDefinitions
    .filter(({ producers }) => producers === 'every service' || producers.includes(service.name))
    .map(({ topic }) => topic);
  const names = [...new Set<TopicName>([...service.consumes, ...produced])].sort();
  return [...names.map((topic) => ({ topic, partitions, ...topicRetention[topic] })), ...deadLetterTopicsOf(service, partitions)];
}

/** All topics of ours, and the dead-letter topics of these services. */
export function allTopics(services: readonly Reader[], partitions: number): TopicSettings[] {
  return [
    ...Object.values(topics).map((topic) => ({ topic, partitions, ...topicRetention[topic] })),
    ...services.flatMap((service) => deadLetterTopicsOf(service, partitions)),
  ];
}

function deadLetterTopicsOf({ name, consumes }: Reader, partitions: number): TopicSettings[] {
  return consumes.map((topic) => ({
    topic: deadLetterTopic(topic, name),
    partitions,
    cleanup: 'delete',
    retentionMs: DEAD_LETTER_RETENTION_MS,
  }));
}
