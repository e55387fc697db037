import type { TopicName } from '@lacuna/events';
import { EventPattern } from '@nestjs/microservices';

/**
 * The handler of a topic: one per topic and service. It gets the decoded events of one tenant in one batch, in log order
 * (TenantBatch), and answers the events that they give rise to.
 */
export const OnTopic = (topic: TopicName): MethodDecorator => EventPattern<string>(topic);
