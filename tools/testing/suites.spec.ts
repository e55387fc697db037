import { expect, it } from 'vitest';
import { needsKafka } from './suites.mjs';

it('a test file needs Kafka when it names it and does not see to its absence', () => {
  expect(needsKafka("import { Kafka } from 'kafkajs';")).toBe(true);
  expect(needsKafka('describe.skipIf(!process.env.LACUNA_TEST_KAFKA_BROKERS)')).toBe(false);
  expect(needsKafka("import pg from 'pg';")).toBe(false);
});
