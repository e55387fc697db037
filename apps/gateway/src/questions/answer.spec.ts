import type { VerdictReached } from '@lacuna/events';
import { describe, expect, it } from 'vitest';
import type { AnswerRow } from './answer-row.js';
import { buildAnswer, isSettled } from './answer.js';

const record = { source: 'tickets', recordId: 'SR-1', version: '3', digest: 'a'.repeat(64), status: 'open' };

function aVerdict(changes: Partial<VerdictReached> = {}): VerdictReached {
  return {
    tenantId: 't1',
    questionId: 'q-1',
    generation: 1,
    registerName: 'service-requests',
    registerHash: 'a'.repeat(64),
    verdict: 'scoped-no-match',
    reasons: [{ code: 'end-signalled', source: 'tickets' }],
    matches: [],
    candidates: [],
    reusable: [],
    boundaries: [],
    asOf: '2026-01-31T12:00:00.000Z',
    needsAsOf: '2026-01-31T11:59:59.000Z',
    decidedAt: '2026-01-31T12:00:01.000Z',
    partial: false,
    coverage: 'complete',
    fromClamped: false,
    healsByWaiting: false,
    count: null,
    owner: 'Intake team',
    statement: 'No match in service-requests.',
    receiptId: 'rcp_1',
    receiptHash: 'b'.repeat(64),
    ...changes,
  };
}

function aRow(changes: Partial<AnswerRow> = {}): AnswerRow {
  return {
    question_id: 'q-1',
    register_name: 'service-requests',
    register_hash: 'a'.repeat(64),
    intent_kind: 'none',
    asked_at: new Date('2026-01-31T12:00:00.000Z'),
    needs_as_of: new Date('2026-01-31T11:59:59.000Z'),
    newest: 1,
    rerun_waiting: false,
    verdict: null,
    matches_total: changes.verdict?.matches.length ?? null,
    candidates_total: changes.verdict?.candidates.length ?? null,
    write: null,
    case_ids: [],
    stalled: false,
    attempts: 0,
    pages: 0,
    ...changes,
  };
}

const aMatch = aVerdict({
  verdict: 'match-review',
  partial: true,
  coverage: 'timed_out',
  matches: [record],
  statement: 'Record SR-1 matches.',
});

describe('the answer object', () => {
  it('begins with how complete it is; fails when a client that reads the first fields meets something else', () => {
    expect(Object.keys(buildAnswer(aRow(), true)).slice(0, 4)).toEqual(['partial', 'coverage', 'from_clamped', 'advice']);
  });

  it('supports no conclusion before the verdict; fails when "nothing yet" can be read as "nothing there"', () => {
    const answer = buildAnswer(aRow(), true);
    expect(answer).toMatchObject({ partial: true, coverage: 'recent_unavailable', state: 'reading', verdict: null, statement: null });
    expect(answer.advice).toContain('absence must not be concluded');
  });

  it('says what the verdict says, with what each reason means', () => {
    const answer = buildAnswer(aRow({ verdict: aVerdict() }), true);
    expect(answer).toMatchObject({
      partial: false,
      coverage: 'complete',
      state: 'decided',
      verdict: 'scoped-no-match',
      receiptId: 'rcp_1',
    });
    expect(answer.reasons[0]).toMatchObject({ code: 'end-signalled', meaning: expect.stringContaining('end') as string });
  });

  it('takes a verdict back while a rerun that a person asked for has not started; fails when the old no-match goes on speaking', () => {
    const answer = buildAnswer(aRow({ verdict: aVerdict(), rerun_waiting: true }), true);
    expect(answer).toMatchObject({ generation: 2, state: 'reading', partial: true, verdict: null, receiptId: null });
  });

  it('shows no record id to whom it is not revealed, nor in the statement; fails when the text leaks the id', () => {
    const answer = buildAnswer(aRow({ verdict: aMatch }), false);
    expect(JSON.stringify(answer)).not.toContain('SR-1');
    expect(answer.matches).toHaveLength(1);
    expect(JSON.stringify(buildAnswer(aRow({ verdict: aMatch }), true))).toContain('SR-1');
  });

  it('says that a message could not be handled beside the verdict, not instead of it', () => {
    const answer = buildAnswer(aRow({ verdict: aVerdict(), stalled: true }), true);
    expect(answer).toMatchObject({ deliveryStalled: true, verdict: 'scoped-no-match' });
    expect(answer.advice).toContain('operator');
  });
});

describe('the write beside a verdict', () => {
  const create = { intent_kind: 'create' } as const;
  const created = { generation: 1, answer: 'created', recordId: 'R-9', reason: null } as const;

  it.each([
    ['nothing was intended', aRow({ verdict: aVerdict() }), null, true],
    ['the sources are being read', aRow(create), 'pending', false],
    ['a no-match waits for its write', aRow({ ...create, verdict: aVerdict() }), 'pending', false],
    ['the record was created', aRow({ ...create, verdict: aVerdict(), write: created }), 'created', true],
    ['the write came before the verdict', aRow({ ...create, write: created }), 'created', false],
    ['a match opens no write', aRow({ ...create, verdict: aMatch }), 'not-attempted', true],
    [
      'an older attempt was refused and a newer generation has a no-match',
      aRow({ ...create, newest: 2, verdict: aVerdict({ generation: 2 }), write: { ...created, answer: 'refused', recordId: null } }),
      'pending',
      false,
    ],
  ])('%s; fails when ?wait answers before or after that moment', (_, row, answer, settled) => {
    expect(buildAnswer(row, true).write?.answer ?? null).toBe(answer);
    expect(isSettled(row)).toBe(settled);
  });
});
