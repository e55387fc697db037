/** The endpoint that search-runner reads slots from. */
import { aRegisterWithTarget, freshId, sha256Of } from '@lacuna/testing';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyPolicyOf, writeKeyOf } from '../src/write/write-key.js';
import { aWantedRecord } from './a-wanted-write.js';
import { SERVICE_TOKEN, WriteGuardBench } from './running-write-guard.js';

let bench: WriteGuardBench;
let url: string;
beforeAll(async () => {
  bench = await WriteGuardBench.open();
  ({ url } = await bench.start());
});
afterAll(() => bench.close());

const lookUp = (body: string | object, token: string | null = SERVICE_TOKEN) => {
  const post = request(url).post('/internal/own-writes').set('content-type', 'application/json');
  return (token === null ? post : post.set('authorization', `Bearer ${token}`)).send(body);
};
const policyOf = (register: Parameters<typeof keyPolicyOf>[0]) => sha256Of(keyPolicyOf(register));
const aLookup = (changes: object = {}) => ({
  tenantId: freshId('tenant'),
  target: 'service-request',
  keyPolicy: sha256Of('policy'),
  keyDigests: [sha256Of('a')],
  ...changes,
});

describe('own writes', () => {
  it('are told to services only: a slot says that a record exists', async () => {
    for (const token of [null, 'a-service-token-of-others']) {
      const answer = await lookUp(aLookup(), token);
      expect([answer.status, answer.type]).toEqual([401, 'application/problem+json']);
    }
  });

  it('answer every key of a batch of 500, in order: one left out would be taken for absent', async () => {
    const wanted = aWantedRecord();
    await bench.tell(wanted.published, wanted.asked);
    await bench.tell(wanted.reached);
    const { keyDigest, target } = writeKeyOf(wanted.register, wanted.question);
    const keyDigests = [...Array.from({ length: 499 }, (_, index) => sha256Of(`key ${index}`)), keyDigest];
    const answer = await lookUp({ tenantId: wanted.tenantId, target, keyPolicy: policyOf(wanted.register), keyDigests }).expect(200);
    const { slots } = answer.body as { slots: { keyDigest: string; state: string; recordId: string | null; status: string | null }[] };
    const [record] = await bench.rows<{ record_id: string }>('select record_id from record where tenant_id = $1', [wanted.tenantId]);
    expect(slots.map((slot) => slot.keyDigest)).toEqual(keyDigests);
    expect(slots.slice(0, 499).every((slot) => slot.state === 'free' && slot.recordId === null)).toBe(true);
    expect(slots[499]).toEqual({ keyDigest, state: 'settled', recordId: record?.record_id, status: 'open', clearAt: null });
  });

  it('of another tenant or target are free: one tenant must not learn what another has written', async () => {
    const wanted = aWantedRecord();
    await bench.tell(wanted.published, wanted.asked);
    await bench.tell(wanted.reached);
    const { keyDigest, target } = writeKeyOf(wanted.register, wanted.question);
    const keyPolicy = policyOf(wanted.register);
    const stateOf = async (body: object) =>
      ((await lookUp({ keyPolicy, ...body }).expect(200)).body as { slots: { state: string }[] }).slots[0]?.state;
    expect(await stateOf({ tenantId: wanted.tenantId, target, keyDigests: [keyDigest] })).toBe('settled');
    expect(await stateOf({ tenantId: freshId('tenant'), target, keyDigests: [keyDigest] })).toBe('free');
    expect(await stateOf({ tenantId: wanted.tenantId, target: 'other', keyDigests: [keyDigest] })).toBe('free');
  });

  it('are not told to a register with another key policy: its digests would make every slot look free', async () => {
    const wanted = aWantedRecord();
    await bench.tell(wanted.published, wanted.asked);
    const asked = { tenantId: wanted.tenantId, target: writeKeyOf(wanted.register, wanted.question).target, keyDigests: [sha256Of('a')] };
    await lookUp({ ...asked, keyPolicy: sha256Of('other') }).expect(200);
    await bench.tell(wanted.reached);
    const answer = await lookUp({ ...asked, keyPolicy: sha256Of('other') });
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([409, { code: 'key-policy-differs' }]);
    await lookUp({ ...asked, keyPolicy: policyOf(wanted.register) }).expect(200);
  });

  it('have the digest that a register of the same policy gives, whatever its version', () => {
    const { question } = aWantedRecord();
    const [one, other] = ['1.0.0', '2.0.0'].map((version) => writeKeyOf(aRegisterWithTarget({ version }), question));
    expect(one).toEqual(other);
  });

  it.each<[string, string | object, number, string[]]>([
    ['text that is not JSON', '{"tenantId":', 400, []],
    ['a list', [], 422, ['']],
    ['no member at all', {}, 422, ['/tenantId', '/target', '/keyPolicy', '/keyDigests']],
    ['no keys', aLookup({ keyDigests: [] }), 422, ['/keyDigests']],
    ['501 keys', aLookup({ keyDigests: Array.from({ length: 501 }, (_, index) => sha256Of(String(index))) }), 422, ['/keyDigests']],
    ['a key that is no digest', aLookup({ keyDigests: [sha256Of('a').toUpperCase()] }), 422, ['/keyDigests']],
    ['a key that is no text', aLookup({ keyDigests: [1] }), 422, ['/keyDigests']],
    ['an unknown member', aLookup({ keyDigest: sha256Of('a') }), 422, ['/keyDigest']],
    ['a tenant that is none', aLookup({ tenantId: 'No Tenant' }), 422, ['/tenantId']],
  ])('refuse %s, and say where', async (_, body, status, pointers) => {
    const answer = await lookUp(body);
    const problem = JSON.parse(answer.text) as { errors?: { pointer: string }[] };
    expect([answer.status, answer.type]).toEqual([status, 'application/problem+json']);
    expect([...new Set((problem.errors ?? []).map(({ pointer }) => pointer))]).toEqual(pointers);
  });
});
