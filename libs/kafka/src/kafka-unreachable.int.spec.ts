import { describe, expect, it } from 'vitest';
import { kafkaLog } from '../test/test-kafka.js';

describe('a Kafka that does not answer', () => {
  it('is told in one line with its address, soon; fails when a service hangs at its start', async () => {
    const log = kafkaLog(['127.0.0.1:1']);
    const beganAtMs = performance.now();
    await expect(log.start()).rejects.toThrow(/^Kafka at 127\.0\.0\.1:1 does not answer: start it or set LACUNA_KAFKA_BROKERS/);
    expect(performance.now() - beganAtMs).toBeLessThan(10_000);
    await log.stop();
  });
});
