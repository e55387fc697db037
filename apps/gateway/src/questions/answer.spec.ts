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
    kind: 'exists',
    intent_kind: 'none',
    asked_at: new Date('2026-01-31T12:00:00.000Z'),
    needs_as_of: new Date('2026-01-31T11:59:59.000Z'),
    newest: 1,
    rerun_waiting: false,
    verdict: null,
    matches_total: changes.verdict?.matches.length ?? null,
    candidates_total: changes.verdict?.candidates.length ?? null,
    write: null,
    has_case: false,
    case_ids: [],
    review: null,
    exception: null,
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

describe('an answer to a question of another kind', () => {
  const all = { ...aMatch, partial: false, coverage: 'complete', count: 1 };
  const advice = (kind: AnswerRow['kind'], verdict: VerdictReached) => buildAnswer(aRow({ kind, verdict }), true).advice;

  it('counts only what the verdict counts; fails when the length of a part of the list is taken for the number', () => {
    expect(buildAnswer(aRow({ kind: 'enumerate', verdict: all }), true)).toMatchObject({ kind: 'enumerate', count: 1 });
    expect(advice('enumerate', all)).toContain('1 in all');
    expect(buildAnswer(aRow({ kind: 'enumerate', verdict: aMatch }), true).count).toBeNull();
    expect(advice('enumerate', aMatch)).toContain('no number is claimed');
  });

  it('says of a match that the record is not gone, and of no answer that anything may be deleted', () => {
    expect(advice('gone', aMatch)).toContain('not gone');
    expect(advice('gone', aVerdict())).toContain('needs an authorisation');
    expect(advice('gone', aVerdict({ verdict: 'evidence-hold' }))).toContain('do not close or delete');
  });
});

describe('the write beside a verdict', () => {
  const create = { intent_kind: 'create' } as const;
  const created = { generation: 1, answer: 'created', recordId: 'R-9', reason: null } as const;
  const refused = { generation: 1, answer: 'refused', recordId: null, reason: 'match-review' } as const;

  it.each([
    ['nothing was intended', aRow({ verdict: aVerdict() }), null, true],
    ['the sources are being read', aRow(create), 'pending', false],
    ['a no-match waits for its write', aRow({ ...create, verdict: aVerdict() }), 'pending', false],
    ['the record was created', aRow({ ...create, verdict: aVerdict(), write: created }), 'created', true],
    ['the write came before the verdict', aRow({ ...create, write: created }), 'created', false],
    ['a match’s write is not refused yet', aRow({ ...create, verdict: aMatch, has_case: true }), 'pending', false],
    ['a match’s write was refused and its case is not open', aRow({ ...create, verdict: aMatch, write: refused }), 'refused', false],
    [
      'a match’s write was refused and its case is open',
      aRow({ ...create, verdict: aMatch, write: refused, has_case: true }),
      'refused',
      true,
    ],
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

describe('an answer that was waited for', () => {
  const aHold = aVerdict({ verdict: 'evidence-hold', partial: true, coverage: 'field_unavailable' });
  const healing = { ...aHold, healsByWaiting: true };

  it.each([
    ['a no-match', aRow({ verdict: aVerdict() }), true],
    ['a match before its case', aRow({ verdict: aMatch }), false],
    ['a match with its case', aRow({ verdict: aMatch, has_case: true }), true],
    ['a match that heals by waiting, before its case', aRow({ verdict: { ...aMatch, healsByWaiting: true } }), false],
    ['a hold that time does not heal, before its case', aRow({ verdict: aHold }), false],
    ['a hold that time does not heal, with its case', aRow({ verdict: aHold, has_case: true }), true],
    ['a hold that heals by waiting', aRow({ verdict: healing }), true],
    ['a verdict that a rerun has made old', aRow({ verdict: aVerdict(), rerun_waiting: true }), false],
  ])('is settled or not: %s; fails when the case is opened after the answer', (_, row, settled) => {
    expect(isSettled(row)).toBe(settled);
  });

  it('says that a hold is asked again by itself, until its case is open; fails when a person waits for a case that may never come', () => {
    expect(buildAnswer(aRow({ verdict: healing }), true).advice).toMatch(/asked again by itself, and a case is opened only if/);
    expect(buildAnswer(aRow({ verdict: healing, has_case: true }), true).advice).toContain('the owner named here acts');
  });
});

describe('a person’s decision beside the answer', () => {
  const review = { generation: 1, caseId: 'c-1', at: '2026-01-31T12:05:00.000Z' };
  const same = { ...review, decision: 'same' } as const;
  const different = { ...review, decision: 'different' } as const;

  it('"same" is shown and turns the advice; fails when a confirmed match still asks for a person', () => {
    const answer = buildAnswer(aRow({ verdict: aMatch, has_case: true, review: same }), true);
    expect(answer.review).toEqual({ decision: 'same', caseId: 'c-1', at: review.at });
    expect(answer.advice).toMatch(/^A person confirmed that the record named here/);
  });

  it('"different" is shown while the question is read once more, and not beside the new verdict', () => {
    const waiting = buildAnswer(aRow({ verdict: aMatch, rerun_waiting: true, review: different }), true);
    expect(waiting).toMatchObject({ verdict: null, review: { decision: 'different' } });
    expect(waiting.advice).toMatch(/^A person said .* absence must not be concluded/);
    expect(buildAnswer(aRow({ newest: 2, review: different }), true).review).toMatchObject({ decision: 'different' });
    expect(buildAnswer(aRow({ newest: 2, verdict: aVerdict({ generation: 2 }), review: different }), true).review).toBeNull();
  });

  it('never makes a no-match a confirmed record; fails when "same" on an older case speaks for a newer no-match', () => {
    expect(buildAnswer(aRow({ verdict: aVerdict(), review: same }), true).advice).toMatch(/^No match/);
  });

  it('is null when nobody decided', () => {
    expect(buildAnswer(aRow({ verdict: aMatch }), true).review).toBeNull();
  });
});
