import { describe, expect, it } from 'vitest';
import { attemptIdOf } from './attempt-id.js';

describe('the id of an attempt', () => {
  it('fits its event, however long the question’s id is; fails when a long id makes every page invalid', () => {
    const id = attemptIdOf({ questionId: 'q'.repeat(200), generation: 999_999, source: 'ledger', fence: 7n, count: 1 });
    expect(id).toMatch(/^[0-9a-f]{64}\.999999\.ledger\.7\.1$/);
  });

  it('names the lease and the count; fails when a successor’s attempt continues one that was given up', () => {
    const parts = { questionId: 'q1', generation: 1, source: 'ledger', fence: 7n, count: 1 };
    expect([attemptIdOf(parts), attemptIdOf({ ...parts, fence: 8n }), attemptIdOf({ ...parts, count: 2 })]).toEqual([
      'q1.1.ledger.7.1',
      'q1.1.ledger.8.1',
      'q1.1.ledger.7.2',
    ]);
  });
});
