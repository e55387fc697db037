/** A person accepts the risk of a hold over HTTP. */
import { canonicalJson, sha256Hex } from '@lacuna/receipts';
import { anEvidenceHold, aMatchReview, aVerdictReached, aWriteSettled, sha256Of } from '@lacuna/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aQuestion, encoded, events, startGateway, topics, type RunningGateway } from './running-gateway.js';

let gateway: RunningGateway;
let asker: { Authorization: string };
let approver: { Authorization: string };
const payload = { subject: 'lamp broken' };
const payloadHash = sha256Hex(canonicalJson(payload));

beforeAll(async () => {
  gateway = await startGateway();
  asker = await gateway.keyOf('t1', ['asker'], 'ann');
  approver = await gateway.keyOf('t1', ['approver'], 'chief');
});
afterAll(() => gateway.stop());

type Verdict = ReturnType<typeof anEvidenceHold>;

/** A question of ann's with that verdict, and the refusal that its write had. */
async function aDecided(make: (changes: Partial<Verdict>) => Verdict = anEvidenceHold, intent: object = { kind: 'create', payload }) {
  const { body } = await gateway.api.post('/v1/questions').set(asker).send(aQuestion({ intent })).expect(202);
  const { questionId } = body as { questionId: string };
  const verdict = make({ tenantId: 't1', questionId });
  const refused = aWriteSettled({ tenantId: 't1', questionId, answer: 'refused', recordId: null, reason: verdict.verdict });
  await gateway.publish(encoded(events.verdictReached, verdict), encoded(events.writeSettled, refused));
  return { questionId, verdict };
}

const except = (questionId: string, body: object, key = approver) =>
  gateway.api.post(`/v1/questions/${questionId}/exceptions`).set(key).send(body);
const grantedOf = async (questionId: string) =>
  (await gateway.published(topics.reviews))
    .map(({ data }) => data as { questionId: string; exceptionId?: string })
    .filter((data) => data.questionId === questionId && data.exceptionId);

describe('an exception', () => {
  it('is told once, whatever is repeated, and stands beside a verdict that stays a hold (V7)', async () => {
    const { questionId, verdict } = await aDecided();
    const body = { receiptHash: verdict.receiptHash, payloadHash, reason: 'the customer waits' };
    const both = await Promise.all([1, 2, 3].map(() => except(questionId, body)));
    expect(both.map(({ status }) => status)).toEqual([202, 202, 202]);
    expect(both[0]?.body).toMatchObject({
      verdict: 'evidence-hold',
      partial: true,
      exception: { principal: 'chief', reason: body.reason },
    });
    expect(await grantedOf(questionId)).toMatchObject([
      { receiptHash: verdict.receiptHash, payloadHash, generation: 1, principal: 'chief' },
    ]);
    await except(questionId, { ...body, reason: 'another' }).expect(409);
  });

  it('shows what came of it in the place of the refusal, which a repeated message does not bring back', async () => {
    const { questionId, verdict } = await aDecided();
    const { body } = await except(questionId, { receiptHash: verdict.receiptHash, payloadHash, reason: 'r' }).expect(202);
    const { exceptionId } = (body as { exception: { exceptionId: string } }).exception;
    const created = aWriteSettled({ tenantId: 't1', questionId, answer: 'created', recordId: 'rec-1', reason: null, exceptionId });
    const refused = aWriteSettled({ tenantId: 't1', questionId, answer: 'refused', recordId: null, reason: 'evidence-hold' });
    await gateway.publish(encoded(events.writeSettled, created), encoded(events.writeSettled, refused));
    const answer = await gateway.api.get(`/v1/questions/${questionId}`).set(asker).expect(200);
    expect(answer.body).toMatchObject({ verdict: 'evidence-hold', write: { answer: 'created' } });
  });

  it.each([
    ['of a match is never made', aMatchReview, {}, 409],
    ['of a no-match is needless', aVerdictReached, {}, 409],
    ['of another receipt is not made', anEvidenceHold, { receiptHash: sha256Of('other') }, 422],
    ['of another payload is not made', anEvidenceHold, { payloadHash: sha256Of('other') }, 422],
    ['without a reason is not made', anEvidenceHold, { reason: '' }, 422],
    ['that would live for days is not made', anEvidenceHold, { livesMs: 86_400_001 }, 422],
  ] as const)('%s, and nothing is told', async (_, make, changes, status) => {
    const { questionId, verdict } = await aDecided(make);
    await except(questionId, { receiptHash: verdict.receiptHash, payloadHash, reason: 'r', ...changes }).expect(status);
    expect(await grantedOf(questionId)).toEqual([]);
  });

  it('needs the role, a question of this tenant, and one that wants a write', async () => {
    const { questionId, verdict } = await aDecided();
    const body = { receiptHash: verdict.receiptHash, payloadHash, reason: 'r' };
    await except(questionId, body, asker).expect(403);
    await except(questionId, body, await gateway.keyOf('t2', ['approver'], 'eve')).expect(404);
    const plain = await aDecided(anEvidenceHold, { kind: 'none' });
    await except(plain.questionId, { ...body, receiptHash: plain.verdict.receiptHash }).expect(409);
  });
});
