import type { CaseOpened } from '@lacuna/events';
import { describe, expect, it } from 'vitest';
import type { CaseRow } from './case-row.js';
import type { DecideCaseBody } from './case.dto.js';
import { decideReview } from './decide-review.js';

const first = { source: 'tickets', recordId: 'SR-1', version: '3', digest: 'a'.repeat(64), status: 'open' };
const second = { source: 'tickets', recordId: 'SR-2', version: null, digest: 'b'.repeat(64), status: 'open' };

function aCase(changes: Partial<Omit<CaseRow, 'body'>> & { records?: CaseOpened['records'] } = {}): CaseRow {
  const { records = [first, second], ...rest } = changes;
  const body: CaseOpened = {
    tenantId: 't1',
    questionId: 'q-1',
    generation: 1,
    caseId: 'c-1',
    subject: 'match-review',
    registerName: 'service-requests',
    owner: 'Intake team',
    reasons: [],
    records,
    receiptId: 'rcp_1',
    statement: 'Two records match.',
    openedAt: '2026-01-31T12:00:00.000Z',
  };
  return { body, closed_at: null, outcome: null, decision: null, ...rest };
}

const deciding = (row: CaseRow, body: DecideCaseBody) =>
  decideReview(row, { tenantId: 't1', principal: 'rita', decidedAt: new Date('2026-01-31T13:00:00.000Z'), body });

describe('a decision on a case', () => {
  it('"different" asks again without the records, at the version and digest that were reviewed; fails when a later change stays excluded', () => {
    expect(deciding(aCase(), { decision: 'different' })).toMatchObject({
      outcome: 'decided',
      rerun: {
        cause: 'review',
        exclusions: [
          { source: 'tickets', recordId: 'SR-1', version: '3', digest: 'a'.repeat(64) },
          { source: 'tickets', recordId: 'SR-2', version: null, digest: 'b'.repeat(64) },
        ],
      },
    });
  });

  it('"different" of one record excludes only that one; fails when unreviewed records are dropped from the search', () => {
    const decision = deciding(aCase(), { decision: 'different', records: [{ source: 'tickets', recordId: 'SR-2' }] });
    expect(decision.outcome === 'decided' && decision.rerun?.exclusions.map((e) => e.recordId)).toEqual(['SR-2']);
  });

  it('"same" asks nothing again, and "rerun" excludes nothing', () => {
    expect(deciding(aCase(), { decision: 'same' })).toMatchObject({ outcome: 'decided', rerun: null });
    expect(deciding(aCase(), { decision: 'rerun' })).toMatchObject({ outcome: 'decided', rerun: { exclusions: [] } });
  });

  it('made twice is one decision, also after the case closed; fails when a retry gives a second generation', () => {
    const made = { decision: 'different', records: [first, second], principal: 'rita', note: null, decidedAt: '' } as const;
    expect(deciding(aCase({ decision: made }), { decision: 'different' }).outcome).toBe('repeated');
    expect(deciding(aCase({ decision: made, closed_at: new Date(), outcome: 'different' }), { decision: 'different' }).outcome).toBe(
      'repeated',
    );
    expect(deciding(aCase({ decision: made }), { decision: 'same' }).outcome).toBe('conflict');
  });

  it('comes too late for a closed case; fails when a closed case can still start a search', () => {
    expect(deciding(aCase({ closed_at: new Date(), outcome: 'rerun-decided' }), { decision: 'rerun' }).outcome).toBe('conflict');
  });

  it.each([
    ['a record of another case', aCase(), { decision: 'different', records: [{ source: 'tickets', recordId: 'SR-9' }] }, '/records/0'],
    ['records on a rerun', aCase(), { decision: 'rerun', records: [{ source: 'tickets', recordId: 'SR-1' }] }, '/records'],
    ['"different" where the case names no record', aCase({ records: [] }), { decision: 'different' }, '/decision'],
  ] as [string, CaseRow, DecideCaseBody, string][])('with %s is refused with the pointer to it', (_, row, body, pointer) => {
    expect(deciding(row, body)).toMatchObject({ outcome: 'invalid', problems: [{ pointer }] });
  });
});
