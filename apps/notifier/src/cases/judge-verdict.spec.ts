import { aMatchReview, anEvidenceHold, aNamedRecord, aVerdictReached, NOON } from '@lacuna/testing';
import { describe, expect, it } from 'vitest';
import { caseIdOf, judgeVerdict } from './judge-verdict.js';

const now = new Date(NOON);
const opened = (judgement: ReturnType<typeof judgeVerdict>) => (judgement.type === 'case' ? judgement.opened : null);

describe('what a verdict asks of people', () => {
  it('asks nobody about a no-match', () => {
    expect(judgeVerdict(aVerdictReached(), now)).toEqual({ type: 'none' });
    expect(judgeVerdict(aVerdictReached({ healsByWaiting: true }), now)).toEqual({ type: 'none' });
  });

  it('waits first where every reason heals by waiting: a case for each short outage would make people deaf', () => {
    expect(judgeVerdict(anEvidenceHold({ healsByWaiting: true }), now)).toEqual({ type: 'hold-that-heals' });
  });

  it('opens a case at once for a hold that time does not heal, with its candidates', () => {
    const candidates = [aNamedRecord()];
    const verdict = anEvidenceHold({ healsByWaiting: false, candidates });
    expect(opened(judgeVerdict(verdict, now))).toMatchObject({
      subject: 'evidence-hold',
      owner: verdict.owner,
      reasons: verdict.reasons,
      records: candidates,
      receiptId: verdict.receiptId,
      statement: verdict.statement,
      openedAt: NOON,
    });
  });

  it('opens a case for a match, even one that is said to heal: a record that was found does not go away', () => {
    const verdict = aMatchReview({ healsByWaiting: true });
    expect(opened(judgeVerdict(verdict, now))).toMatchObject({ subject: 'match-review', records: verdict.matches });
  });

  it('gives the case an id from what it is about: a repetition must not open a second one', () => {
    const verdict = aMatchReview();
    const id = opened(judgeVerdict(verdict, now))?.caseId;
    expect(opened(judgeVerdict(verdict, new Date()))?.caseId).toBe(id);
    expect(opened(judgeVerdict({ ...verdict, generation: 2 }, now))?.caseId).not.toBe(id);
    expect(opened(judgeVerdict({ ...verdict, tenantId: 'another' }, now))?.caseId).not.toBe(id);
  });

  it('keeps the parts of an id apart: two cases must not share one by their spelling', () => {
    expect(caseIdOf('t', 'ab', 'c')).not.toBe(caseIdOf('t', 'a', 'bc'));
  });
});
