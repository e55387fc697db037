/** Writes that a person authorises, on PostgreSQL with the Postgres log. */
import { type AuthorisationDecided, events } from '@lacuna/events';
import { anAuthorisationDecided, aRegisterWithTarget, anIntent, freshId } from '@lacuna/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aWantedRecord, type WantedChanges, type WantedRecord } from './a-wanted-write.js';
import { atWriting, until, told, WriteGuardBench } from './running-write-guard.js';

let bench: WriteGuardBench;
beforeAll(async () => {
  bench = await WriteGuardBench.open();
  await bench.start();
});
afterAll(() => bench.close());
beforeEach(() => void (bench.now = atWriting));

const manual = aRegisterWithTarget({ policy: 'manual', freshnessMs: 60_000, authorisation: { livesMs: 600_000, perHourMax: 2 } });
const aWanted = (changes: WantedChanges = {}) => aWantedRecord({ register: manual, ...changes });
const ask = (...wanted: WantedRecord[]) =>
  bench.tell(...wanted.flatMap((one) => [one.published, one.asked]), ...wanted.map((one) => one.reached));
const answersOf = async ({ question }: WantedRecord) =>
  (await bench.published(events.writeSettled))
    .filter(({ questionId }) => questionId === question.questionId)
    .map(({ generation, answer, reason }) => ({ generation, answer, reason: reason ?? null }));
const requestOf = async ({ question }: WantedRecord) => {
  const asked = await bench.published(events.authorisationRequested);
  const [own] = asked.filter(({ questionId }) => questionId === question.questionId);
  if (!own) throw new Error('no authorisation was asked for');
  return own;
};
const decide = async (wanted: WantedRecord, changes: Partial<AuthorisationDecided> = {}) => {
  const { tenantId, questionId, authorisationId, payloadHash } = await requestOf(wanted);
  const decision = anAuthorisationDecided({ tenantId, questionId, authorisationId, payloadHash, principal: 'chief', ...changes });
  await bench.tell(told(events.authorisationDecided, decision));
};
const recordsOf = ({ tenantId }: WantedRecord) => bench.rows('select record_id from record where tenant_id = $1', [tenantId]);

describe('policy manual', () => {
  it('asks a person, writes nothing before, and writes once when it is approved, whatever is repeated (W2 to W4)', async () => {
    const wanted = aWanted();
    await ask(wanted);
    expect([await answersOf(wanted), await recordsOf(wanted)]).toEqual([[], []]);
    expect(await requestOf(wanted)).toMatchObject({
      policy: 'manual',
      payloadHash: wanted.question.intent.payloadHash,
      target: 'service-request',
    });
    await decide(wanted);
    await decide(wanted);
    expect(await answersOf(wanted)).toEqual([{ generation: 1, answer: 'created', reason: null }]);
    expect(await recordsOf(wanted)).toHaveLength(1);
    const rows = await bench.rows(
      'select a.state, a.approver from authorisation a join permit p using (tenant_id, authorisation_id) where a.tenant_id = $1',
      [wanted.tenantId],
    );
    expect(rows).toEqual([{ state: 'used', approver: 'chief' }]);
  });

  it('asks again for a receipt that has grown stale, and writes on the new one without asking the person again (W2)', async () => {
    const wanted = aWanted();
    await ask(wanted);
    bench.now = new Date(atWriting.getTime() + 300_000);
    await decide(wanted);
    expect(await answersOf(wanted)).toEqual([]);
    expect(
      (await bench.published(events.questionRerun)).filter(({ questionId }) => questionId === wanted.question.questionId),
    ).toHaveLength(1);
    await bench.tell(wanted.later(2, { asOf: bench.now.toISOString(), decidedAt: bench.now.toISOString() }));
    expect(await answersOf(wanted)).toEqual([{ generation: 2, answer: 'created', reason: null }]);
  });

  it('a match that another question saw later ends it, under any order of the two (W3)', async () => {
    const reference = freshId('sr');
    const wanted = aWanted({ reference });
    await ask(wanted);
    const verdict = { verdict: 'match-review' as const, boundaries: [{ source: 'ledger', boundary: atWriting.toISOString() }] };
    const other = aWanted({
      tenantId: wanted.tenantId,
      reference,
      question: { intent: anIntent({ kind: 'none', payload: null, payloadHash: null }) },
      verdict,
    });
    await ask(other);
    await decide(wanted);
    expect(await answersOf(wanted)).toEqual([{ generation: 1, answer: 'refused', reason: 'match-review' }]);
    // And one that asks after the match was seen, on older evidence.
    const late = aWanted({ tenantId: wanted.tenantId, reference });
    await ask(late);
    await decide(late);
    expect(await answersOf(late)).toEqual([{ generation: 1, answer: 'refused', reason: 'match-review' }]);
    expect(await recordsOf(wanted)).toEqual([]);
  });

  it('a later hold suspends it; the next no-match goes on with what was approved (W3)', async () => {
    const wanted = aWanted();
    await ask(wanted);
    await bench.tell(wanted.later(2, { verdict: 'evidence-hold', asOf: null }));
    await decide(wanted);
    expect([await answersOf(wanted), await recordsOf(wanted)]).toEqual([[], []]);
    await bench.tell(wanted.later(3));
    expect(await answersOf(wanted)).toEqual([{ generation: 3, answer: 'created', reason: null }]);
  });

  it('is over after its time, without anybody asking; fails when a write waits for ever', async () => {
    const wanted = aWanted();
    await ask(wanted);
    bench.now = new Date(atWriting.getTime() + 600_000);
    await until('it is refused', async () => (await answersOf(wanted)).length > 0);
    expect(await answersOf(wanted)).toEqual([{ generation: 1, answer: 'refused', reason: 'authorisation-expired' }]);
    await decide(wanted);
    expect(await recordsOf(wanted)).toEqual([]);
  });

  it('gives a target so many writes an hour and no more', async () => {
    const first = aWanted();
    const wanted = [first, ...Array.from({ length: 2 }, () => aWanted({ tenantId: first.tenantId }))];
    await ask(...wanted);
    for (const one of wanted) await decide(one);
    const answers = (await Promise.all(wanted.map(answersOf))).flat();
    expect(answers.map(({ answer, reason }) => reason ?? answer)).toEqual(['created', 'created', 'limit-reached']);
    bench.now = new Date(atWriting.getTime() + 3_600_001);
  });

  it('a declined one is refused, and a decision on somebody else’s payload is none', async () => {
    const [declined, other] = [aWanted(), aWanted()];
    await ask(declined, other);
    await decide(declined, { decision: 'declined' });
    await decide(other, { payloadHash: 'a'.repeat(64) });
    expect([await answersOf(declined), await answersOf(other)]).toEqual([[{ generation: 1, answer: 'refused', reason: 'declined' }], []]);
  });
});

describe('policy four-eyes', () => {
  it('takes the approval of anybody but the asker', async () => {
    const wanted = aWanted({ register: aRegisterWithTarget({ policy: 'four-eyes' }) });
    await ask(wanted);
    await decide(wanted, { principal: wanted.question.principal });
    expect(await recordsOf(wanted)).toEqual([]);
    await decide(wanted, { principal: 'somebody-else' });
    expect(await recordsOf(wanted)).toHaveLength(1);
  });
});
