/**
 * Public bug reports (docs/reference/cases.md) by what the write boundary has to make of them, twins too. Reports whose outcome is a verdict are
 * walks; here that verdict is given, and the write is what is looked at.
 */
import { events, type VerdictReached, type WriteSettled } from '@lacuna/events';
import type { Register } from '@lacuna/evidence';
import { aMatchReview, aNamedRecord, anEvidenceHold, anIdentifier, aRegisterWithTarget, freshId } from '@lacuna/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aCreation, aWantedRecord, type WantedChanges, type WantedRecord } from './a-wanted-write.js';
import { type DeskAnswer, OutsideDesk } from './outside-desk.js';
import { outsideRegister } from './outside-register.js';
import { atWriting, told, until, WriteGuardBench } from './running-write-guard.js';

let bench: WriteGuardBench;
let desk: OutsideDesk;
beforeAll(async () => {
  desk = await OutsideDesk.open({ isIdempotent: false });
  process.env['LACUNA_TEST_DESK'] = `http://${desk.host}`;
  bench = await WriteGuardBench.open({ env: { LACUNA_EGRESS_ALLOW: desk.host } });
  await bench.start();
});
afterAll(async () => {
  await bench.close();
  await desk.close();
});
beforeEach(() => void (bench.now = atWriting));

async function answersTo(...wanted: readonly WantedRecord[]): Promise<WriteSettled[][]> {
  const ids = wanted.map(({ question }) => question.questionId);
  const find = async () => {
    const settled = await bench.published(events.writeSettled);
    return ids.map((id) => settled.filter(({ questionId }) => questionId === id));
  };
  await until('all are answered', async () => (await find()).every((answers) => answers.length > 0), 20_000);
  return find();
}

async function outcomes(...wanted: readonly WantedRecord[]): Promise<(readonly [string, string | null])[]> {
  await bench.tell(...wanted.flatMap((one) => [one.published, one.asked]));
  await bench.tell(...wanted.map(({ reached }) => reached));
  return (await answersTo(...wanted)).flat().map(({ answer, reason }) => [answer, reason] as const);
}

/** Another asker of the same key. */
const rivalOf = (one: WantedRecord, changes: WantedChanges = {}): WantedRecord =>
  aWantedRecord({ tenantId: one.tenantId, register: one.register, reference: String(one.question.identifiers[0]?.value), ...changes });
const verdictOf = ({ verdict, reasons, boundaries, asOf, partial, coverage, matches }: VerdictReached): Partial<VerdictReached> => ({
  verdict,
  reasons,
  boundaries,
  asOf,
  partial,
  coverage,
  matches,
});
const held = (...codes: string[]) => verdictOf(anEvidenceHold({ reasons: codes.map((code) => ({ code, source: 'ledger' })) }));
const recordsOf = ({ tenantId }: WantedRecord) =>
  bench.rows<{ record_id: string }>('select record_id from record where tenant_id = $1', [tenantId]);

describe('block-create: what was not proven absent is not created', () => {
  it.each([
    ['A04', 'cap-reached'],
    ['A06', 'budget-pages'],
    ['K16', 'rate-limited'],
    ['Q04', 'field-unavailable'],
    ['H03', 'visibility-limited'],
    ['L16', 'total-mismatch'],
  ])('%s: a hold (%s) opens no permit', async (_, code) => {
    const one = aWantedRecord({ verdict: held(code) });
    expect(await outcomes(one)).toEqual([['refused', 'evidence-hold']]);
    expect(await recordsOf(one)).toEqual([]);
  });

  it('A04 then, I01: the match that a later look finds opens none either', async () => {
    const one = aWantedRecord({ verdict: verdictOf(aMatchReview({ matches: [aNamedRecord({ recordId: '812' })] })) });
    expect(await outcomes(one)).toEqual([['refused', 'match-review']]);
  });

  it('I03: our own recent creation counts, whatever a lagging search says', async () => {
    const first = aWantedRecord();
    expect(await outcomes(first)).toEqual([['created', null]]);
    expect(await outcomes(rivalOf(first))).toEqual([['exists', null]]);
    expect(await recordsOf(first)).toHaveLength(1);
  });

  it('I04: two runs that both searched and found nothing create one', async () => {
    const first = aWantedRecord();
    expect((await outcomes(first, rivalOf(first))).map(([answer]) => answer).sort()).toEqual(['created', 'exists']);
  });

  it('L10: a key with a part that is empty is no key, twin: with all of its parts it is one', async () => {
    const identifiers: Register['identifiers'] = {
      reference: { kind: 'key', normalise: ['trim'] },
      brand: { kind: 'key', normalise: ['trim'] },
    };
    const register = aRegisterWithTarget({ identifiers });
    const of = (brand: string) => ({
      register,
      question: { identifiers: [anIdentifier({ name: 'reference', value: 'rice' }), anIdentifier({ name: 'brand', value: brand })] },
    });
    expect(await outcomes(aWantedRecord(of(' ')))).toEqual([['refused', 'key-incomplete']]);
    expect(await outcomes(aWantedRecord(of('acme')))).toEqual([['created', null]]);
  });

  it('L15: the same key twice in one batch is one record', async () => {
    const first = aWantedRecord();
    expect(await outcomes(first, rivalOf(first))).toHaveLength(2);
    expect(await recordsOf(first)).toHaveLength(1);
  });

  it('L40: what the lookup takes for the same the write takes for the same', async () => {
    const first = aWantedRecord({ reference: `Ada-${freshId('x')}` });
    const rival = rivalOf(first, { reference: String(first.question.identifiers[0]?.value).toLowerCase() });
    expect(await outcomes(first)).toEqual([['created', null]]);
    expect(await outcomes(rival)).toEqual([['exists', null]]);
  });
});

describe('reconcile-first: an outcome that nobody knows is looked at before anything is repeated', () => {
  const at = (register: Register) => aWantedRecord({ register });
  const lost = (status: number | 'hang' | 'reset', body: object = {}, carriesOut = true): DeskAnswer => {
    return () => ({ carriesOut, status, body });
  };

  it.each<[string, DeskAnswer]>([
    ['L04, 504', lost(504)],
    ['L04, 502', lost(502)],
    ['L04, 503', lost(503)],
    ['L04, no answer', lost('hang')],
    ['L05, a reset', lost('reset')],
    ['K20, created and no id said', lost(201, {})],
    ['L19, a success that names nothing', lost(200, {})],
    ['H03, a conflict that names nothing', lost(409, { code: 'unique_violation' }, false)],
  ])('%s: one send, unknown, and the question is asked again', async (_, answer) => {
    desk.answersWith(answer);
    const one = at(outsideRegister());
    expect(await outcomes(one)).toEqual([['unknown', 'outcome-unknown']]);
    expect(desk.requests).toHaveLength(1);
    const reruns = (await bench.published(events.questionRerun)).filter(({ questionId }) => questionId === one.question.questionId);
    expect(reruns.map(({ cause }) => cause)).toEqual(['outcome-unknown']);
    desk.answersWith();
    expect(await outcomes(rivalOf(one))).toEqual([['unknown', 'write-in-flight']]);
    expect(desk.requests).toEqual([]);
  });

  it('L16: a refusal that the contract calls a conflict and that names nothing is unknown too', async () => {
    desk.answersWith(lost(400, { message: 'unique constraint' }, false));
    expect(await outcomes(at(outsideRegister({ conflict: { statuses: [400], id: '/id' } })))).toEqual([['unknown', 'outcome-unknown']]);
  });

  it('I01: the conflict that names the record is a match on it', async () => {
    desk.answersWith(lost(409, { existing: '51' }, false));
    const one = at(outsideRegister());
    expect(await outcomes(one)).toEqual([['exists', 'conflict']]);
    expect((await answersTo(one))[0]?.[0]?.recordId).toBe('51');
  });

  it('L11, L14: every row of a batch has an outcome of its own, whatever its neighbours have', async () => {
    const existing = aWantedRecord();
    await outcomes(existing);
    const [second, third] = [aWantedRecord({ tenantId: existing.tenantId }), aWantedRecord({ tenantId: existing.tenantId })];
    expect(await outcomes(rivalOf(existing), second, third)).toEqual([
      ['exists', null],
      ['created', null],
      ['created', null],
    ]);
    expect(await recordsOf(existing)).toHaveLength(3);
  });

  it('L31: the claim of a sender that died is neither free by time nor created over', async () => {
    desk.answersWith();
    const one = at(outsideRegister());
    await outcomes(one);
    await bench.rows(`update slot set state = 'in-flight', sent_at = $2 where tenant_id = $1`, [one.tenantId, new Date(0)]);
    bench.now = new Date(atWriting.getTime() + 20_000);
    desk.answersWith();
    expect(await outcomes(rivalOf(one))).toEqual([['unknown', 'write-in-flight']]);
    expect(desk.requests).toEqual([]);
  });
});

describe('replay-first: the same again is the same', () => {
  it.each([408, 429])('L04, control: %i was not processed, and is sent again under the same key', async (status) => {
    desk.answersWith(() => ({ carriesOut: false, status }));
    expect(await outcomes(aWantedRecord({ register: outsideRegister() }))).toEqual([['created', null]]);
    expect([desk.requests.length, new Set(desk.requests.map(({ key }) => key)).size]).toEqual([2, 1]);
  });

  it('L20, L22: a message that comes again has its effect once', async () => {
    const one = aWantedRecord();
    await outcomes(one);
    await bench.tell(one.asked, one.reached, one.reached);
    expect((await answersTo(one))[0]).toHaveLength(1);
    expect(await recordsOf(one)).toHaveLength(1);
  });

  it('L29: nor does it have another when its body differs', async () => {
    const one = aWantedRecord();
    await outcomes(one);
    await bench.tell(
      told(events.questionAsked, { ...one.question, askedAt: new Date(0).toISOString(), intent: aCreation({ other: true }) }),
    );
    await bench.tell(one.later(1, { statement: 'another wording' }));
    expect((await answersTo(one))[0]).toHaveLength(1);
    expect(await recordsOf(one)).toHaveLength(1);
  });
});

// Fails if a listing that was cut short, or a filter that the source ignored, counts as a reason to delete.
describe('block-delete: what a listing did not show is not deleted for it', () => {
  /** A question whether a record of ours, with the slot's key, is gone elsewhere, so that it may be deleted here. */
  const aDeletionOf = (one: WantedRecord, verdict: Partial<VerdictReached> = {}) =>
    rivalOf(one, { question: { kind: 'gone', intent: { ...aCreation(), kind: 'delete' } }, verdict });

  it.each<[string, Partial<VerdictReached>, string]>([
    ['G05: absent from a listing with the flag of incomplete results', held('partial-answer'), 'evidence-hold'],
    ['N06: the result of a filter that was not applied', held('filter-not-applied'), 'evidence-hold'],
    ['O01: absent from the lists, and found by its id', verdictOf(aMatchReview()), 'match-review'],
    ['twin of all: proven gone, by a guard that carries out no deletion', {}, 'intent-unsupported'],
  ])('%s', async (_, verdict, reason) => {
    const ours = aWantedRecord();
    expect(await outcomes(ours)).toEqual([['created', null]]);
    expect(await outcomes(aDeletionOf(ours, verdict))).toEqual([['refused', reason]]);
    expect(await recordsOf(ours)).toHaveLength(1);
  });
});
