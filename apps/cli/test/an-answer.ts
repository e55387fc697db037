import type { Answer } from '../src/ask/answer.js';

/** A complete no-match, as the API answers it. */
export function anAnswer(changes: Partial<Answer> = {}): Answer {
  return {
    partial: false,
    coverage: 'complete',
    from_clamped: false,
    advice: 'No match in this register.',
    questionId: 'q-1',
    generation: 1,
    state: 'decided',
    verdict: 'scoped-no-match',
    statement: 'No match in register r.',
    reasons: [],
    matches: [],
    candidates: [],
    unlisted: { matches: 0, candidates: 0 },
    asOf: '2026-01-01T00:00:00.000Z',
    owner: null,
    receiptId: 'rcp_1',
    write: null,
    caseIds: [],
    progress: { attempts: 1, pages: 2 },
    ...changes,
  };
}
