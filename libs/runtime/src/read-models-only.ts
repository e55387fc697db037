import { ConsumerStoppedError, type TopicHandler } from '@lacuna/messaging';
import type { ServiceDefinition } from './service-definition.js';

/** A handler that is declared to fill a read model, and gives rise to events, would give rise to them again at every replay. */
export function readModelsOnly(
  handlers: ReadonlyMap<string, TopicHandler>,
  { name, readModels = [] }: Pick<ServiceDefinition, 'name' | 'readModels'>,
): ReadonlyMap<string, TopicHandler> {
  const replayed = new Set<string>(readModels.map(({ topic }) => topic));
  return new Map([...handlers].map(([topic, handler]) => [topic, replayed.has(topic) ? silent(name, topic, handler) : handler]));
}

const silent =
  (name: string, topic: string, handler: TopicHandler): TopicHandler =>
  async (batch) => {
    const events = await handler(batch);
    if (events.length > 0)
      throw new ConsumerStoppedError(`${name} declares ${topic} a read model, but its handler publishes: it could not be replayed`);
    return events;
  };
