import { aCaseOpened, aMatchReview, anEvidenceHold, aVerdictReached, aWriteSettled } from '@lacuna/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aQuestion, encoded, events, startGateway, topics, type RunningGateway } from './running-gateway.js';

let gateway: RunningGateway;
let key: { Authorization: string };

beforeAll(async () => {
  gateway = await startGateway();
  key = await gateway.keyOf('t1');
});
afterAll(() => gateway.stop());

const ask = (body: object = aQuestion(), query = '') => gateway.api.post(`/v1/questions${query}`).set(key).send(body);
const askedEvents = () => gateway.published(topics.questions);

describe('a question over HTTP', () => {
  it('is accepted with its place and published once with what the key says; fails when tenant or principal come from the body', async () => {
    const before = (await askedEvents()).length;
    const response = await ask().expect(202);
    expect(response.headers['location']).toBe(`/v1/questions/${response.body.questionId}`);
    expect(response.body).toMatchObject({ partial: true, coverage: 'recent_unavailable', from_clamped: false, state: 'reading' });
    const asked = await askedEvents();
    expect(asked).toHaveLength(before + 1);
    const mine = asked.find((event) => (event.data as { questionId: string }).questionId === response.body.questionId);
    expect(mine?.data).toMatchObject({ tenantId: 't1', principal: 'ann', registerName: 'service-requests', kind: 'exists' });
  });

  it('asked with a tenant or a principal in the body is refused; fails when an asker can speak for another', async () => {
    const response = await ask(aQuestion({ tenantId: 't2', principal: 'bob' })).expect(422);
    expect(response.body.errors.map((error: { pointer: string }) => error.pointer).sort()).toEqual(['/principal', '/tenantId']);
  });

  it.each(['gone', 'enumerate'])('may ask %s; its count is that of the verdict, and null where there is none', async (kind) => {
    const { body } = await ask(aQuestion({ kind })).expect(202);
    expect(body).toMatchObject({ kind, count: null });
    const published = (await askedEvents()).find((event) => (event.data as { questionId: string }).questionId === body.questionId);
    expect(published?.data).toMatchObject({ kind, intent: { kind: 'none' } });
    const count = kind === 'enumerate' ? 0 : null;
    await gateway.publish(
      encoded(events.verdictReached, aVerdictReached({ tenantId: 't1', questionId: body.questionId as string, count })),
    );
    const answer = await gateway.api.get(`/v1/questions/${body.questionId}`).set(key).expect(200);
    expect(answer.body).toMatchObject({ kind, count, verdict: 'scoped-no-match' });
  });

  it('waits for the verdict and its case and answers in one call; fails when ?wait answers a match whose case opens later', async () => {
    const asking = ask(aQuestion(), '?wait=20').then((response) => response);
    const questionId = await questionAfter(() => asking);
    await gateway.publish(encoded(events.verdictReached, aMatchReview({ tenantId: 't1', questionId })));
    const opened = aCaseOpened({ tenantId: 't1', questionId, subject: 'match-review' });
    await gateway.publish(encoded(events.caseOpened, opened));
    const response = await asking;
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ state: 'decided', verdict: 'match-review', questionId, caseIds: [opened.caseId] });
    expect(response.body.matches).toHaveLength(1);
  });

  it('that wants a record waits for the write as well; fails when it answers between verdict and write', async () => {
    const asking = ask(aQuestion({ intent: { kind: 'create', payload: { a: 1 } } }), '?wait=20').then((response) => response);
    const questionId = await questionAfter(() => asking);
    await gateway.publish(encoded(events.verdictReached, aVerdictReached({ tenantId: 't1', questionId })));
    const between = await gateway.api.get(`/v1/questions/${questionId}`).set(key).expect(200);
    expect(between.body.write).toEqual({ answer: 'pending', recordId: null, reason: null });
    await gateway.publish(encoded(events.writeSettled, aWriteSettled({ tenantId: 't1', questionId, recordId: 'R-1' })));
    expect((await asking).body.write).toEqual({ answer: 'created', recordId: 'R-1', reason: null });
  });

  it('that wants a record says of a match nothing that changes later; fails when ?wait answers before the write is refused', async () => {
    const asking = ask(aQuestion({ intent: { kind: 'create', payload: { a: 1 } } }), '?wait=20').then((response) => response);
    const questionId = await questionAfter(() => asking);
    const of = { tenantId: 't1', questionId };
    const opened = aCaseOpened({ ...of, subject: 'match-review' });
    await gateway.publish(encoded(events.verdictReached, aMatchReview(of)), encoded(events.caseOpened, opened));
    const between = await gateway.api.get(`/v1/questions/${questionId}?wait=1`).set(key).expect(200);
    expect(between.body.write).toEqual({ answer: 'pending', recordId: null, reason: null });
    const refused = aWriteSettled({ ...of, answer: 'refused', recordId: null, reason: 'match-review', permitId: null });
    await gateway.publish(encoded(events.writeSettled, refused));
    const { body } = await asking;
    expect(body).toMatchObject({ write: { answer: 'refused', reason: 'match-review' }, caseIds: [opened.caseId] });
    expect((await gateway.api.get(`/v1/questions/${questionId}`).set(key)).body).toEqual(body);
  });

  it('keeps what it has created when a later generation is refused; fails when the new record is no longer named', async () => {
    const { body } = await ask(aQuestion({ intent: { kind: 'create', payload: { a: 1 } } })).expect(202);
    const of = { tenantId: 't1', questionId: body.questionId as string };
    const refused = { ...of, generation: 2, answer: 'refused' as const, recordId: null, reason: 'match-review', permitId: null };
    await gateway.publish(
      encoded(events.writeSettled, aWriteSettled({ ...of, recordId: 'R-1' })),
      encoded(events.verdictReached, aMatchReview({ ...of, generation: 2 })),
      encoded(events.writeSettled, aWriteSettled(refused)),
    );
    const { body: later } = await gateway.api.get(`/v1/questions/${of.questionId}`).set(key).expect(200);
    expect(later.write).toMatchObject({ answer: 'created', recordId: 'R-1' });
  });

  it('answers what is known when the time is over', async () => {
    const response = await ask(aQuestion(), '?wait=1').expect(202);
    expect(response.body).toMatchObject({ state: 'reading', partial: true });
  });

  it('says its hold with reasons that mean something', async () => {
    const { body } = await ask();
    await gateway.publish(encoded(events.verdictReached, anEvidenceHold({ tenantId: 't1', questionId: body.questionId })));
    const response = await gateway.api.get(`/v1/questions/${body.questionId}`).set(key).expect(200);
    expect(Object.keys(response.body).slice(0, 4)).toEqual(['partial', 'coverage', 'from_clamped', 'advice']);
    expect(response.body).toMatchObject({ partial: true, coverage: 'timed_out', verdict: 'evidence-hold', owner: 'intake desk' });
    expect(response.body.reasons[0].meaning).toEqual(expect.any(String));
  });
});

describe('an idempotency key', () => {
  it('gives the same question to two posts at once; fails when a retry that overtakes its first asks twice', async () => {
    const before = (await askedEvents()).length;
    const both = await Promise.all([1, 2].map(() => ask().set('Idempotency-Key', 'race-1')));
    expect(both.map((response) => response.status)).toEqual([202, 202]);
    expect(both[0]?.body.questionId).toBe(both[1]?.body.questionId);
    expect((await askedEvents()).length).toBe(before + 1);
  });

  it('with another body is refused, and nothing is asked; fails when the second question silently gets the first answer', async () => {
    await ask().set('Idempotency-Key', 'other-1').expect(202);
    const before = (await askedEvents()).length;
    const other = aQuestion({ identifiers: [aQuestion().identifiers[0], { name: 'reference', value: 'SR-2' }] });
    const response = await ask(other).set('Idempotency-Key', 'other-1').expect(422);
    expect(response.body.type).toBe('urn:lacuna:problem:idempotency-key-reused');
    expect((await askedEvents()).length).toBe(before);
  });

  it('belongs to its principal; fails when one caller gets the answer to another caller’s question', async () => {
    const mine = await ask().set('Idempotency-Key', 'shared-1').expect(202);
    const bob = await gateway.keyOf('t1', ['asker'], 'bob');
    const his = await gateway.api.post('/v1/questions').set(bob).set('Idempotency-Key', 'shared-1').send(aQuestion()).expect(202);
    expect(his.body.questionId).not.toBe(mine.body.questionId);
  });
});

/** The id of the question that a waiting request has asked, from the log: the request itself has not answered yet. */
async function questionAfter(asking: () => Promise<unknown>): Promise<string> {
  void asking();
  const known = new Set<string>();
  for (const event of await askedEvents()) known.add((event.data as { questionId: string }).questionId);
  for (let look = 0; look < 200; look += 1) {
    for (const event of await askedEvents()) {
      const { questionId } = event.data as { questionId: string };
      if (!known.has(questionId)) return questionId;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('nothing was asked');
}
