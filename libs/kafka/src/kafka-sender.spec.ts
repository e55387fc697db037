import { describe, expect, it } from 'vitest';
import { assertAllAnswered, UnansweredPartitionError } from './kafka-sender.js';

describe('the answers of a request', () => {
  const answer = (partition: number) => ({ topicName: 't', partition });

  it('cover every partition of it', () => {
    expect(() => assertAllAnswered(new Set(['t/0', 't/1']), [answer(0), answer(1)])).not.toThrow();
  });

  it('that miss a partition are a failure; fails when a leader moves during a retry and kafkajs never sends that part (P2)', () => {
    expect(() => assertAllAnswered(new Set(['t/0', 't/1']), [answer(1)])).toThrow(UnansweredPartitionError);
  });
});
