import { eventLogConformance } from '@lacuna/testing/event-log-conformance';
import { describe } from 'vitest';
import { KafkaEventLog } from './kafka-event-log.js';
import { quiet, testBrokers } from '../test/test-kafka.js';

const brokers = testBrokers();

describe.skipIf(brokers.length === 0)('on Apache Kafka', () => {
  eventLogConformance('Kafka', {
    openLog: async () => new KafkaEventLog({ brokers, clientId: 'test', logger: quiet, sessionTimeoutMs: 6_000 }),
  });
});
