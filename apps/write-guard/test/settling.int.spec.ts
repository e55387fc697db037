/** What becomes of wanted writes, on PostgreSQL with the Postgres log. */
import { events } from '@lacuna/events';
import { type Register, parseInstant } from '@lacuna/evidence';
import { tablesWithoutForcedRls } from '@lacuna/postgres';
import { aNamedRecord, aRegisterWithTarget, freshId } from '@lacuna/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aCreation, aWantedRecord, type WantedRecord } from './a-wanted-write.js';
import { writeKeyOf } from '../src/write/write-key.js';
import { atWriting, until, WriteGuardBench } from './running-write-guard.js';

let bench: WriteGuardBench;
beforeAll(async () => {
  bench = await WriteGuardBench.open();
  await bench.start();
});
afterAll(() => bench.close());
beforeEach(() => void (bench.now = atWriting));

const ask = (...wanted: WantedRecord[]) => bench.tell(...wanted.map((one) => one.published), ...wanted.map((one) => one.asked));
const reach = (...wanted: WantedRecord[]) => bench.tell(...wanted.map((one) => one.reached));
const answersOf = async ({ question }: WantedRecord) =>
  (await bench.published(events.writeSettled)).filter(({ questionId }) => questionId === question.questionId);
const recordsOf = ({ tenantId }: WantedRecord) =>
  bench.rows<{ record_id: string; payload: object; created_by: string }>('select * from record where tenant_id = $1', [tenantId]);

describe('a fresh no-match under policy auto', () => {
  it('makes authorisation, permit, slot and record, and answers created: a missing one would break W2', async () => {
    const wanted = aWantedRecord();
    await ask(wanted);
    await reach(wanted);
    const [record] = await recordsOf(wanted);
    const [answer, ...more] = await answersOf(wanted);
    expect(more).toEqual([]);
    expect(answer).toMatchObject({ answer: 'created', recordId: record?.record_id, target: 'service-request', reason: null });
    expect(record).toMatchObject({ payload: wanted.question.intent.payload, created_by: wanted.question.principal });
    const permits = (await bench.published(events.permitGranted)).filter(({ questionId }) => questionId === wanted.question.questionId);
    expect(permits).toMatchObject([{ permitId: answer?.permitId, receiptHash: wanted.verdict.receiptHash, generation: 1 }]);
    const kept = await bench.rows(
      `select a.state, a.payload_hash, p.receipt_hash, s.record_id from authorisation a
         join permit p using (tenant_id, authorisation_id) join slot s using (tenant_id, target, key_digest) where a.tenant_id = $1`,
      [wanted.tenantId],
    );
    expect(kept).toEqual([
      {
        state: 'used',
        payload_hash: wanted.question.intent.payloadHash,
        receipt_hash: wanted.verdict.receiptHash,
        record_id: record?.record_id,
      },
    ]);
  });

  it('answers exists with the id to everybody else, in the same batch or later, and no second record (W1, W5)', async () => {
    const first = aWantedRecord({ reference: freshId('sr') });
    const same = { tenantId: first.tenantId, reference: String(first.question.identifiers[0]?.value) };
    const [second, third] = [aWantedRecord(same), aWantedRecord({ ...same, reference: ` ${same.reference.toUpperCase()} ` })];
    await ask(first, second, third);
    await reach(first, second);
    await reach(third);
    const answers = [...(await answersOf(first)), ...(await answersOf(second)), ...(await answersOf(third))];
    const [record] = await recordsOf(first);
    expect(answers.map(({ answer }) => answer).sort()).toEqual(['created', 'exists', 'exists']);
    expect(new Set(answers.map(({ recordId }) => recordId))).toEqual(new Set([record?.record_id]));
    expect(await recordsOf(first)).toHaveLength(1);
  });

  it('gives each tenant a record of its own for one key: a slot across tenants would tell one about the other', async () => {
    const reference = freshId('sr');
    const [one, other] = [aWantedRecord({ reference }), aWantedRecord({ reference })];
    await ask(one, other);
    await reach(one, other);
    expect([await answersOf(one), await answersOf(other)]).toMatchObject([[{ answer: 'created' }], [{ answer: 'created' }]]);
  });
});

describe('a verdict that opens no permit', () => {
  it.each<[string, WantedRecord, string]>([
    ['a match-review', aWantedRecord({ verdict: { verdict: 'match-review', matches: [aNamedRecord()] } }), 'match-review'],
    ['an evidence-hold', aWantedRecord({ verdict: { verdict: 'evidence-hold', asOf: null } }), 'evidence-hold'],
    ['intent delete', aWantedRecord({ question: { kind: 'gone', intent: { ...aCreation(), kind: 'delete' } } }), 'intent-unsupported'],
    ['a key whose normal form is empty', aWantedRecord({ reference: ' ' }), 'key-incomplete'],
  ])('%s is refused once, with the reason, and leaves no row', async (_, wanted, reason) => {
    await ask(wanted);
    await reach(wanted);
    expect(await answersOf(wanted)).toMatchObject([{ answer: 'refused', reason, recordId: null, permitId: null }]);
    const refusals = (await bench.published(events.permitRefused)).filter(({ questionId }) => questionId === wanted.question.questionId);
    expect(refusals).toMatchObject([{ reason, generation: 1 }]);
    const rows = await bench.rows(
      'select tenant_id from slot where tenant_id = $1 union all select tenant_id from authorisation where tenant_id = $1',
      [wanted.tenantId],
    );
    expect(rows).toEqual([]);
  });

  it('that wants no write is not answered at all', async () => {
    const wanted = aWantedRecord({ question: { intent: { kind: 'none', payload: null, payloadHash: null } } });
    await ask(wanted);
    await reach(wanted);
    expect(await answersOf(wanted)).toEqual([]);
  });

  it('of an older generation in the same batch is superseded: only the newest receipt opens a permit (W3)', async () => {
    const wanted = aWantedRecord();
    await ask(wanted);
    await bench.tell(wanted.reached, wanted.later(2, { verdict: 'evidence-hold', asOf: null }));
    expect(await recordsOf(wanted)).toEqual([]);
    expect(byGeneration(await answersOf(wanted))).toEqual([
      [1, 'refused', 'superseded'],
      [2, 'refused', 'evidence-hold'],
    ]);
  });

  it('of an older generation that comes after a newer one is superseded too', async () => {
    const wanted = aWantedRecord();
    await ask(wanted);
    await bench.tell(wanted.later(2, { verdict: 'evidence-hold', asOf: null }));
    await bench.tell(wanted.reached);
    expect(await recordsOf(wanted)).toEqual([]);
  });

  it('of another key policy for the same target is refused: one key would get two slots (W1)', async () => {
    const first = aWantedRecord();
    const { target } = first.register;
    const register = aRegisterWithTarget({ name: 'other-requests', target: { ...(target as NonNullable<typeof target>), policyId: 'v2' } });
    const other = aWantedRecord({ tenantId: first.tenantId, register, reference: String(first.question.identifiers[0]?.value) });
    await ask(first, other);
    await reach(first);
    await reach(other);
    expect(await answersOf(other)).toMatchObject([{ answer: 'refused', reason: 'key-policy-differs' }]);
    expect(await recordsOf(first)).toHaveLength(1);
  });
});

describe('a receipt that is stale at the moment of writing', () => {
  const expires = (register: Register, asOf: string | null | undefined, afterMs: number) =>
    new Date((parseInstant(asOf) ?? 0) + register.freshnessMs + afterMs);
  const rerunsOf = async ({ question }: WantedRecord) =>
    (await bench.published(events.questionRerun)).filter(({ questionId }) => questionId === question.questionId);

  it('asks again twice at most, then is refused as evidence-expired: else a write would wait for ever (W2)', async () => {
    const wanted = aWantedRecord();
    await ask(wanted);
    bench.now = expires(wanted.register, wanted.verdict.asOf, 1);
    for (const generation of [1, 2, 3]) await bench.tell(wanted.later(generation));
    expect((await rerunsOf(wanted)).map(({ causeId, cause }) => [causeId, cause])).toEqual([
      ['stale.1', 'evidence-expired'],
      ['stale.2', 'evidence-expired'],
    ]);
    expect(byGeneration(await answersOf(wanted))).toEqual([[3, 'refused', 'evidence-expired']]);
    expect(await recordsOf(wanted)).toEqual([]);
  });

  it('counts a repeated verdict once: a redelivery must not use up the reruns', async () => {
    const wanted = aWantedRecord();
    await ask(wanted);
    bench.now = expires(wanted.register, wanted.verdict.asOf, 1);
    for (let repeated = 0; repeated < 4; repeated += 1) await bench.tell(wanted.reached);
    expect(await rerunsOf(wanted)).toHaveLength(1);
    expect(await answersOf(wanted)).toEqual([]);
  });

  it('needs evidence from after the write was tried, and a fresh generation creates', async () => {
    const wanted = aWantedRecord();
    await ask(wanted);
    bench.now = expires(wanted.register, wanted.verdict.asOf, 1);
    await bench.tell(wanted.reached);
    expect(await rerunsOf(wanted)).toMatchObject([{ needsAsOf: bench.now.toISOString() }]);
    await bench.tell(wanted.later(2, { asOf: bench.now.toISOString() }));
    expect(byGeneration(await answersOf(wanted))).toEqual([[2, 'created', null]]);
  });

  it('is rolled back and asked again when it grew stale while the transaction waited for a slot', async () => {
    const wanted = aWantedRecord();
    await ask(wanted);
    const letGo = await holdSlot(wanted);
    await bench.log.publish([wanted.reached]);
    await until('write-guard waits for the slot', async () => (await bench.rows(WAITS_FOR_SLOT)).length > 0);
    bench.now = expires(wanted.register, wanted.verdict.asOf, 1);
    await letGo();
    await bench.handled();
    expect(await rerunsOf(wanted)).toHaveLength(1);
    expect(await recordsOf(wanted)).toEqual([]);
    expect(await answersOf(wanted)).toEqual([]);
  });
});

const WAITS_FOR_SLOT = `select pid from pg_stat_activity where wait_event_type = 'Lock' and query like 'insert into slot%'
  and datname = current_database()`;

/** Another writer has inserted the slot, and has not committed it; answers how it rolls back. */
async function holdSlot({ tenantId, register, question }: WantedRecord): Promise<() => Promise<void>> {
  const { target, keyDigest } = writeKeyOf(register, question);
  let letGo: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (letGo = resolve));
  let ended: Promise<void> = Promise.resolve();
  await new Promise<void>((held) => {
    const holding = bench.admin.transaction(async (tx) => {
      await tx.query(`insert into slot values ($1, $2, $3, 'settled', 'rec', 'question', 1, now())`, [tenantId, target, keyDigest]);
      held();
      await released;
      throw new LetGo();
    });
    ended = holding.catch((error: unknown) => expect(error).toBeInstanceOf(LetGo)).then(() => undefined);
  });
  return () => {
    letGo();
    return ended;
  };
}

class LetGo extends Error {}

describe('a slot that is neither taken nor visible', () => {
  it('is answered unknown, never created and never a guessed exists (W1)', async () => {
    const first = aWantedRecord();
    const hidden = aWantedRecord({ tenantId: first.tenantId, reference: String(first.question.identifiers[0]?.value) });
    await ask(first, hidden);
    await reach(first);
    await bench.rows(`create policy hides_one on slot as restrictive for select using (question_id <> '${first.question.questionId}')`);
    await reach(hidden);
    await bench.rows('drop policy hides_one on slot');
    expect(await answersOf(hidden)).toMatchObject([{ answer: 'unknown', reason: 'write-slot-unseen', recordId: null }]);
    expect(await recordsOf(first)).toHaveLength(1);
  });
});

describe('the tables of write-guard', () => {
  it('all force row-level security, but for the queue tables', async () => {
    expect(await tablesWithoutForcedRls(bench.admin, 'write_guard')).toEqual([]);
    const tables = await bench.rows<{ name: string }>(`select relname as name from pg_class where relnamespace = 'write_guard'::regnamespace
        and relkind = 'r' order by 1`);
    expect(tables.map(({ name }) => name)).toContain('slot');
  });

  it('would be named by that check if one did not', async () => {
    await bench.rows('create table write_guard.careless (tenant_id text)');
    expect(await tablesWithoutForcedRls(bench.admin, 'write_guard')).toEqual(['careless']);
    await bench.rows('drop table write_guard.careless');
  });
});

function byGeneration(answers: readonly { generation: number; answer: string; reason: string | null }[]) {
  return answers.map(({ generation, answer, reason }) => [generation, answer, reason]).sort();
}
