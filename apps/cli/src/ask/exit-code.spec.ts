import { describe, expect, it } from 'vitest';
import { anAnswer } from '../../test/an-answer.js';
import { exitCodeOf } from './exit-code.js';

const write = (answer: string) => ({ answer, recordId: null, reason: null });

describe('the exit code of ask', () => {
  it.each([
    [0, 'a complete no-match', {}],
    [0, 'a complete no-match whose record was created', { write: write('created') }],
    [10, 'a match', { verdict: 'match-review' }],
    [10, 'a match beside a partial search', { verdict: 'match-review', partial: true, coverage: 'timed_out' }],
    [11, 'a hold', { verdict: 'evidence-hold', partial: true, coverage: 'timed_out' }],
    [12, 'a search that goes on', { state: 'reading', verdict: null, partial: true, coverage: 'recent_unavailable' }],
    [12, 'a record that is still being created', { write: write('pending') }],
  ])('is %i for %s', (exitCode, _, changes) => {
    expect(exitCodeOf(anAnswer(changes))).toBe(exitCode);
  });

  it.each([
    ['is partial', { partial: true }],
    ['covers less', { coverage: 'recent_unavailable' }],
    ['begins later than was asked', { from_clamped: true }],
    ['does not say whether it is partial', { partial: undefined as unknown as boolean }],
    ['has a verdict that is not known here', { verdict: 'surely-not-there' }],
    ['has no verdict', { verdict: null }],
  ])('is never 0 for an answer that %s; fails when a script takes it for absence', (_, changes) => {
    expect(exitCodeOf(anAnswer(changes))).not.toBe(0);
  });
});
