import { aCaseClosed, aCaseOpened, aMatchReview, aNamedRecord } from '@lacuna/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aQuestion, encoded, events, startGateway, topics, type RunningGateway } from './running-gateway.js';

let gateway: RunningGateway;
let key: { Authorization: string };

beforeAll(async () => {
  gateway = await startGateway();
  key = await gateway.keyOf('t1', ['asker', 'reviewer'], 'rita');
});
afterAll(() => gateway.stop());

/** A question with a match and its case. */
async function aMatchCase() {
  const { body } = await gateway.api.post('/v1/questions').set(key).send(aQuestion()).expect(202);
  const of = { tenantId: 't1', questionId: body.questionId as string };
  const records = [aNamedRecord({ version: '3' }), aNamedRecord({ version: null })];
  const opened = aCaseOpened({ ...of, subject: 'match-review', records, reasons: [] });
  await gateway.publish(encoded(events.verdictReached, aMatchReview({ ...of, matches: records })), encoded(events.caseOpened, opened));
  return opened;
}

const decide = (caseId: string, body: object) => gateway.api.post(`/v1/cases/${caseId}/decisions`).set(key).send(body);

async function consequences(questionId: string) {
  const all = [...(await gateway.published(topics.reviews)), ...(await gateway.published(topics.questions))];
  return all
    .filter((event) => (event.data as { questionId: string }).questionId === questionId)
    .filter(({ type }) => type === events.reviewDecided.type || type === events.questionRerun.type);
}

describe('a person decides a case', () => {
  it('"different" excludes the records as they were reviewed and asks again; fails when a changed record stays excluded', async () => {
    const opened = await aMatchCase();
    const response = await decide(opened.caseId, { decision: 'different', note: 'another site' }).expect(202);
    expect(response.body.decision).toMatchObject({ decision: 'different', principal: 'rita', note: 'another site' });
    const [review, rerun] = await consequences(opened.questionId);
    expect(review?.data).toMatchObject({ decision: 'different', principal: 'rita', caseId: opened.caseId });
    const exclusions = opened.records.map(({ source, recordId, version, digest }) => ({ source, recordId, version, digest }));
    expect(rerun?.data).toMatchObject({ cause: 'review', exclusions });
    const answer = await gateway.api.get(`/v1/questions/${opened.questionId}`).set(key).expect(200);
    expect(answer.body).toMatchObject({
      state: 'reading',
      generation: 2,
      verdict: null,
      review: { decision: 'different', caseId: opened.caseId },
    });
  });

  it('on a case of an older generation takes the newest verdict back as well; fails when that one speaks until the rerun starts', async () => {
    const opened = await aMatchCase();
    const newer = aMatchReview({ tenantId: 't1', questionId: opened.questionId, generation: 2 });
    await gateway.publish(encoded(events.verdictReached, newer));
    await decide(opened.caseId, { decision: 'different' }).expect(202);
    const answer = await gateway.api.get(`/v1/questions/${opened.questionId}`).set(key).expect(200);
    expect(answer.body).toMatchObject({ state: 'reading', generation: 3, verdict: null });
  });

  it('"same" asks nothing again, and the verdict stands, confirmed; fails when the answer does not show that a person decided', async () => {
    const opened = await aMatchCase();
    await decide(opened.caseId, { decision: 'same' }).expect(202);
    expect((await consequences(opened.questionId)).map(({ type }) => type)).toEqual([events.reviewDecided.type]);
    const { body } = await gateway.api.get(`/v1/questions/${opened.questionId}`).set(key).expect(200);
    expect(body).toMatchObject({ verdict: 'match-review', review: { decision: 'same', caseId: opened.caseId } });
    expect(body.advice).toMatch(/^A person confirmed/);
  });

  it('twice, also at once and after the closing, is one decision; fails when a retry starts a second generation', async () => {
    const opened = await aMatchCase();
    const both = await Promise.all([1, 2, 3].map(() => decide(opened.caseId, { decision: 'rerun' })));
    expect(both.map((response) => response.status)).toEqual([202, 202, 202]);
    const closed = aCaseClosed({ tenantId: 't1', questionId: opened.questionId, caseId: opened.caseId, outcome: 'rerun' });
    await gateway.publish(encoded(events.caseClosed, closed));
    await decide(opened.caseId, { decision: 'rerun' }).expect(202);
    expect((await consequences(opened.questionId)).map(({ type }) => type).sort()).toEqual([
      events.questionRerun.type,
      events.reviewDecided.type,
    ]);
  });

  it('otherwise than before, or when it is closed, is a conflict, and nothing is published', async () => {
    const decided = await aMatchCase();
    await decide(decided.caseId, { decision: 'same' }).expect(202);
    await decide(decided.caseId, { decision: 'different' }).expect(409);
    const closed = await aMatchCase();
    await gateway.publish(
      encoded(events.caseClosed, aCaseClosed({ tenantId: 't1', questionId: closed.questionId, caseId: closed.caseId })),
    );
    const response = await decide(closed.caseId, { decision: 'rerun' }).expect(409);
    expect(response.headers['content-type']).toContain('application/problem+json');
    expect(await consequences(closed.questionId)).toEqual([]);
  });

  it('with a record of another case, or an idempotency key used for another decision, is refused with nothing half-written', async () => {
    const opened = await aMatchCase();
    const other = { decision: 'different', records: [{ source: 'ledger', recordId: 'SR-9' }] };
    const response = await decide(opened.caseId, other).expect(422);
    expect(response.body.errors[0].pointer).toBe('/records/0');
    await decide(opened.caseId, other).set('Idempotency-Key', 'd-1').expect(422);
    await decide(opened.caseId, { decision: 'same' }).set('Idempotency-Key', 'd-1').expect(202);
    const another = await aMatchCase();
    const reused = await decide(another.caseId, { decision: 'same' }).set('Idempotency-Key', 'd-1').expect(422);
    expect(reused.body.type).toBe('urn:lacuna:problem:idempotency-key-reused');
    expect(await consequences(another.questionId)).toEqual([]);
  });
});
