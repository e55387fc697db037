import { anAuthorisationRequested, aWriteSettled, freshId } from '@lacuna/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aQuestion, encoded, events, startGateway, topics, type RunningGateway } from './running-gateway.js';

let gateway: RunningGateway;
let asker: { Authorization: string };
let approver: { Authorization: string };
const payload = { subject: 'lamp broken' };

beforeAll(async () => {
  gateway = await startGateway();
  asker = await gateway.keyOf('t1', ['asker', 'approver'], 'ann');
  approver = await gateway.keyOf('t1', ['approver'], 'chief');
});
afterAll(() => gateway.stop());

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

/** A question of ann's whose write waits for a person. */
async function aRequest(changes: object = {}) {
  const { body } = await gateway.api
    .post('/v1/questions')
    .set(asker)
    .send(aQuestion({ intent: { kind: 'create', payload } }))
    .expect(202);
  const requested = anAuthorisationRequested({
    tenantId: 't1',
    questionId: body.questionId,
    expiresAt: inAnHour(),
    at: new Date().toISOString(),
    ...changes,
  });
  await gateway.publish(encoded(events.authorisationRequested, requested));
  return requested;
}

const decide = (id: string, body: object, key = approver) => gateway.api.post(`/v1/authorisations/${id}/decisions`).set(key).send(body);
const decisionsOf = async (authorisationId: string) =>
  (await gateway.published(topics.reviews)).filter(
    ({ data }) => (data as { authorisationId?: string }).authorisationId === authorisationId,
  );

describe('an authorisation', () => {
  it('shows what would be written, who asked, and how to decide; fails when an approver decides on what it cannot see', async () => {
    const { authorisationId, questionId, payloadHash } = await aRequest();
    const { body } = await gateway.api.get(`/v1/authorisations/${authorisationId}`).set(approver).expect(200);
    expect(Object.keys(body).slice(0, 3)).toEqual(['partial', 'coverage', 'from_clamped']);
    expect(body).toMatchObject({
      state: 'open',
      questionId,
      payload,
      payloadHash,
      asker: 'ann',
      register: 'service-requests',
      decision: null,
    });
    const list = await gateway.api.get('/v1/authorisations?state=open').set(approver).expect(200);
    expect(list.body.items.map((item: { authorisationId: string }) => item.authorisationId)).toContain(authorisationId);
  });

  it('is decided once, by whoever has the role: write-guard is told once, whatever is repeated', async () => {
    const { authorisationId, payloadHash, questionId } = await aRequest();
    const body = { decision: 'approved', payloadHash, note: 'looks right' };
    const both = await Promise.all([1, 2, 3].map(() => decide(authorisationId, body)));
    expect(both.map(({ status }) => status)).toEqual([202, 202, 202]);
    const told = await decisionsOf(authorisationId);
    expect(told.map(({ data }) => data)).toEqual([
      expect.objectContaining({ decision: 'approved', principal: 'chief', payloadHash, questionId, note: 'looks right' }),
    ]);
    await decide(authorisationId, { decision: 'declined', payloadHash }).expect(409);
    await decide(authorisationId, body, await gateway.keyOf('t1', ['reviewer'], 'rita')).expect(403);
  });

  it('of another payload than the one that was looked at is refused, and nothing is told', async () => {
    const { authorisationId } = await aRequest();
    const response = await decide(authorisationId, { decision: 'approved', payloadHash: 'a'.repeat(64) }).expect(422);
    expect(response.body.errors).toMatchObject([{ pointer: '/payloadHash' }]);
    expect(await decisionsOf(authorisationId)).toEqual([]);
  });

  it('under four-eyes is not for the asker to approve, though it has the role; declining it is', async () => {
    const { authorisationId, payloadHash } = await aRequest({ policy: 'four-eyes' });
    await decide(authorisationId, { decision: 'approved', payloadHash }, asker).expect(403);
    expect(await decisionsOf(authorisationId)).toEqual([]);
    await decide(authorisationId, { decision: 'declined', payloadHash }, asker).expect(202);
  });

  it('that is over or expired takes no decision', async () => {
    const over = await aRequest();
    const settled = aWriteSettled({
      tenantId: 't1',
      questionId: over.questionId,
      answer: 'refused',
      reason: 'match-review',
      at: new Date().toISOString(),
    });
    await gateway.publish(encoded(events.writeSettled, settled));
    const { body } = await gateway.api.get(`/v1/authorisations/${over.authorisationId}`).set(approver).expect(200);
    expect(body).toMatchObject({ state: 'over', outcome: 'match-review' });
    await decide(over.authorisationId, { decision: 'approved', payloadHash: over.payloadHash }).expect(409);
    const expired = await aRequest({ expiresAt: new Date(Date.now() - 1).toISOString() });
    await decide(expired.authorisationId, { decision: 'approved', payloadHash: expired.payloadHash }).expect(409);
  });

  it('of another tenant is not there', async () => {
    const { authorisationId } = await aRequest();
    const stranger = await gateway.keyOf('t2', ['approver'], 'eve');
    await gateway.api.get(`/v1/authorisations/${authorisationId}`).set(stranger).expect(404);
    await gateway.api
      .get(`/v1/authorisations/${freshId('auth')}`)
      .set(approver)
      .expect(404);
  });
});
