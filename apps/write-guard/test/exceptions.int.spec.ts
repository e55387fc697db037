/** Exceptions: a person accepts the risk of one hold, for one payload, once. On PostgreSQL with the Postgres log. */
import { type EncodedEvent, events, type ExceptionGranted, type WriteSettled } from '@lacuna/events';
import { aNamedRecord, anEvidenceHold, anExceptionGranted, sha256Of } from '@lacuna/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aWantedRecord, type WantedChanges, type WantedRecord } from './a-wanted-write.js';
import { atWriting, told, until, WriteGuardBench } from './running-write-guard.js';

let bench: WriteGuardBench;
beforeAll(async () => {
  bench = await WriteGuardBench.open();
  await bench.start();
});
afterAll(() => bench.close());
beforeEach(() => void (bench.now = atWriting));

/** A question whose verdict is a hold. */
function aHeldWrite(changes: WantedChanges = {}): WantedRecord {
  const { verdict, reasons, boundaries, asOf, partial, coverage } = anEvidenceHold();
  return aWantedRecord({ ...changes, verdict: { verdict, reasons, boundaries, asOf, partial, coverage, ...changes.verdict } });
}

function anException(one: WantedRecord, changes: Partial<ExceptionGranted> = {}): EncodedEvent {
  const { tenantId, question, verdict } = one;
  const expiresAt = new Date(atWriting.getTime() + 60_000).toISOString();
  const of = {
    tenantId,
    questionId: question.questionId,
    receiptHash: verdict.receiptHash,
    payloadHash: question.intent.payloadHash ?? '',
  };
  return told(events.exceptionGranted, anExceptionGranted({ ...of, expiresAt, ...changes }));
}

const ask = (...wanted: WantedRecord[]) => bench.tell(...wanted.flatMap((one) => [one.published, one.asked]));

/** Answers of the question, in order, once none of its exceptions waits any more. */
async function answersOf({ tenantId, question }: WantedRecord): Promise<WriteSettled[]> {
  const none = async () => (await bench.rows(`select from job where queue = 'exception' and tenant_id = $1`, [tenantId])).length === 0;
  await until('no exception waits', none, 20_000);
  const settled = await bench.published(events.writeSettled);
  return settled.filter(({ questionId }) => questionId === question.questionId);
}
const recordsOf = ({ tenantId }: WantedRecord) => bench.rows('select from record where tenant_id = $1', [tenantId]);
const outcomes = (answers: readonly WriteSettled[]) => answers.map(({ answer, reason }) => [answer, reason]);
const HELD = ['refused', 'evidence-hold'];

describe('an exception for a hold', () => {
  it('writes once, beside the refusal that the hold had, and is not there a second time', async () => {
    const one = aHeldWrite();
    const exception = anException(one);
    await ask(one);
    await bench.tell(one.reached, exception);
    const answers = await answersOf(one);
    expect(outcomes(answers)).toEqual([HELD, ['created', null]]);
    expect(answers.map(({ exceptionId }) => typeof exceptionId)).toEqual(['undefined', 'string']);
    const kept = await bench.rows(
      `select policy, state, answer from authorisation join answer using (tenant_id, question_id) where tenant_id = $1`,
      [one.tenantId],
    );
    expect(kept).toEqual([{ policy: 'exception', state: 'used', answer: 'created' }]);
    await bench.tell(exception);
    expect(await answersOf(one)).toHaveLength(2);
    expect(await recordsOf(one)).toHaveLength(1);
  });

  it('that comes before its verdict waits for it', async () => {
    const one = aHeldWrite();
    await ask(one);
    await bench.tell(anException(one));
    await bench.tell(one.reached);
    expect(outcomes(await answersOf(one))).toEqual([HELD, ['created', null]]);
  });

  it('of a taken slot is answered exists: an exception is no second record', async () => {
    const first = aWantedRecord();
    const one = aHeldWrite({ tenantId: first.tenantId, reference: String(first.question.identifiers[0]?.value) });
    await ask(first, one);
    await bench.tell(first.reached);
    await bench.tell(one.reached, anException(one));
    expect(outcomes(await answersOf(one))).toEqual([HELD, ['exists', null]]);
    expect(await recordsOf(one)).toHaveLength(1);
  });

  it('of 32 askers of one key leads to one record', async () => {
    const first = aHeldWrite();
    const same = { tenantId: first.tenantId, reference: String(first.question.identifiers[0]?.value) };
    const all = [first, ...Array.from({ length: 31 }, () => aHeldWrite(same))];
    await ask(...all);
    await bench.tell(...all.map(({ reached }) => reached), ...all.map((one) => anException(one)));
    const answers = (await Promise.all(all.map(answersOf))).flat().filter(({ exceptionId }) => exceptionId);
    expect([answers.length, answers.filter(({ answer }) => answer === 'created').length]).toEqual([32, 1]);
    expect(await recordsOf(first)).toHaveLength(1);
  });
});

describe('an exception opens nothing', () => {
  const soon = { expiresAt: new Date(atWriting.getTime() + 5_000).toISOString() };
  it.each<[string, WantedRecord, Partial<ExceptionGranted>, string]>([
    ['beside a match', aWantedRecord({ verdict: { verdict: 'match-review', matches: [aNamedRecord()] } }), {}, 'match-review'],
    ['beside a no-match that lacks another authorisation', aWantedRecord(), {}, 'exception-needless'],
    ['for another receipt', aHeldWrite(), { receiptHash: sha256Of('another') }, 'superseded'],
    ['for another payload', aHeldWrite(), { payloadHash: sha256Of('another') }, 'payload-changed'],
    ['once it has expired', aHeldWrite(), { expiresAt: new Date(atWriting.getTime() - 1).toISOString() }, 'exception-expired'],
  ])('%s', async (_, one, changes, reason) => {
    await ask(one);
    await bench.tell(one.reached, anException(one, { ...soon, ...changes }));
    const last = (await answersOf(one)).filter(({ exceptionId }) => exceptionId);
    expect(outcomes(last)).toEqual([['refused', reason]]);
    const created = (await recordsOf(one)).length;
    expect(created).toBe(reason === 'exception-needless' ? 1 : 0);
  });

  it('once its generation is no longer the newest: what was accepted is not what is known', async () => {
    const one = aHeldWrite();
    await ask(one);
    await bench.tell(one.reached, one.later(2, { receiptHash: sha256Of('second') }));
    await bench.tell(anException(one));
    expect(outcomes((await answersOf(one)).filter(({ exceptionId }) => exceptionId))).toEqual([['refused', 'superseded']]);
  });

  it('once a match of the key was seen elsewhere, later than the hold was decided', async () => {
    const one = aHeldWrite();
    const later = new Date(Date.parse(one.verdict.decidedAt) + 1).toISOString();
    const reference = String(one.question.identifiers[0]?.value);
    const matched = { verdict: 'match-review' as const, matches: [aNamedRecord()], boundaries: [{ source: 'ledger', boundary: later }] };
    const other = aWantedRecord({ tenantId: one.tenantId, reference, verdict: matched });
    await ask(one, other);
    await bench.tell(one.reached, other.reached);
    await bench.tell(anException(one));
    expect(outcomes((await answersOf(one)).filter(({ exceptionId }) => exceptionId))).toEqual([['refused', 'match-review']]);
  });
});
