import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aQuestion, startGateway, topics, type RunningGateway } from './running-gateway.js';

let gateway: RunningGateway;
let key: { Authorization: string };

beforeAll(async () => {
  gateway = await startGateway();
  key = await gateway.keyOf('t1');
});
afterAll(() => gateway.stop());

const [account, reference] = aQuestion().identifiers;
const identifiers = (...given: unknown[]) => aQuestion({ identifiers: given });
const post = (body: string, type = 'application/json') => gateway.api.post('/v1/questions').set(key).set('Content-Type', type).send(body);

describe('bad input', () => {
  it.each([
    ['an unknown register', aQuestion({ register: 'nowhere' }), 404, null],
    ['an identifier left out', identifiers(account), 422, '/identifiers'],
    ['an identifier of a wrong form', identifiers({ ...account, value: 'x' }, reference), 422, '/identifiers/0/value'],
    ['an identifier with a NUL', identifiers(account, { ...reference, value: 'a\u0000b' }), 422, '/identifiers/1/value'],
    ['an identifier that is nothing once normalised', identifiers(account, { ...reference, value: ' - ' }), 422, '/identifiers/1/value'],
    [
      'an identifier that the register lacks',
      identifiers(account, reference, { name: 'colour', value: 'red' }),
      422,
      '/identifiers/2/name',
    ],
    ['an unknown provenance', identifiers(account, { ...reference, provenance: 'rumour' }), 422, '/identifiers/1/provenance'],
    ['no identifiers', identifiers(), 422, '/identifiers'],
    ['a kind that is none', aQuestion({ kind: 'absent' }), 422, '/kind'],
    [
      'a creation with a question of another kind',
      aQuestion({ kind: 'gone', intent: { kind: 'create', payload: {} } }),
      422,
      '/intent/kind',
    ],
    ['a misspelt member', aQuestion({ intnt: { kind: 'create' } }), 422, '/intnt'],
    ['an intent that is a list', aQuestion({ intent: [{ kind: 'create', payload: {} }] }), 422, '/intent'],
    ['a budget that is a list', aQuestion({ budget: [{ pagesMax: 1 }] }), 422, '/budget'],
    ['an identifier that is a list', identifiers(account, [reference]), 422, '/identifiers'],
    ['an intent that is not offered', aQuestion({ intent: { kind: 'delete' } }), 422, '/intent/kind'],
    ['a payload that is a list', aQuestion({ intent: { kind: 'create', payload: [] } }), 422, '/intent/payload'],
    ['a payload above 64 KiB', aQuestion({ intent: { kind: 'create', payload: { a: 'x'.repeat(65_536) } } }), 422, '/intent/payload'],
    ['more budget than the register has', aQuestion({ budget: { pagesMax: 1_000_000 } }), 422, '/budget/pagesMax'],
    ['a time in the future', aQuestion({ needsAsOf: '2999-01-01T00:00:00Z' }), 422, '/needsAsOf'],
    ['a date without a time', aQuestion({ needsAsOf: '2020-01-01' }), 422, '/needsAsOf'],
    ['a list instead of an object', [], 422, ''],
  ] as [string, object, number, string | null][])(
    '%s is a problem that says what to mend, and nothing is asked',
    async (_, body, status, pointer) => {
      const response = await post(JSON.stringify(body)).expect(status);
      expect(response.headers['content-type']).toContain('application/problem+json');
      expect(response.body).toMatchObject({
        status,
        title: expect.any(String) as string,
        type: expect.stringMatching(/^urn:lacuna:problem:/) as string,
      });
      if (pointer !== null) expect(response.body.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer);
      expect(await gateway.published(topics.questions)).toEqual([]);
    },
  );

  it.each([
    ['text that is not JSON', '{', 'application/json', 400],
    ['no body at all', '', 'application/json', 400],
    ['JSON under another content type', JSON.stringify(aQuestion()), 'text/plain', 415],
    ['a form', 'register=x', 'application/x-www-form-urlencoded', 415],
    ['a charset that JSON does not have', JSON.stringify(aQuestion()), 'application/json; charset=latin9', 415],
    ['a body above the limit', JSON.stringify(aQuestion({ pad: 'x'.repeat(300_000) })), 'application/json', 413],
  ])('%s is refused before it is read', async (_, body, type, status) => {
    const response = await post(body, type).expect(status);
    expect(response.headers['content-type']).toContain('application/problem+json');
    expect(response.body.status).toBe(status);
  });

  it.each(['/v1/questions', '/v1/cases/case-1/decisions'])(
    'no body at all is said so: %s; fails when an empty body is told that its type is wrong',
    async (path) => {
      for (const length of [{}, { 'Content-Length': '0' }]) {
        const response = await gateway.api.post(path).set(key).set('Content-Type', 'application/json').set(length).expect(400);
        expect(response.body).toMatchObject({ code: 'empty-body', title: 'The body is empty' });
      }
    },
  );

  it('a body above the limit is told the limit; fails when a client must guess it', async () => {
    const response = await post(JSON.stringify(aQuestion({ pad: 'x'.repeat(300_000) }))).expect(413);
    expect(response.body.detail).toContain('262144 bytes');
  });

  it('missing members are said to be missing, once each; fails when every rule that nothing breaks is listed', async () => {
    const response = await post('{}').expect(422);
    expect(response.body.errors).toEqual([
      { pointer: '/register', detail: 'register is missing' },
      { pointer: '/identifiers', detail: 'identifiers is missing' },
    ]);
  });

  it('an unknown parameter is refused, and nothing is asked; fails when a misspelt ?wiat= is silently no wait', async () => {
    const response = await gateway.api.post('/v1/questions?wiat=10').set(key).send(aQuestion()).expect(400);
    expect(response.body.errors).toEqual([{ parameter: 'wiat', detail: 'is not a parameter here; there are wait' }]);
    expect(await gateway.published(topics.questions)).toEqual([]);
  });

  it.each(['?wait=61', '?wait=-1', '?wait=soon', '?wait=1&wait=2'])(
    'a wait out of bounds is refused, and nothing is asked: %s',
    async (query) => {
      await gateway.api.post(`/v1/questions${query}`).set(key).send(aQuestion()).expect(400);
      expect(await gateway.published(topics.questions)).toEqual([]);
    },
  );

  it.each([
    ['GET', '/v1/questions?limit=201'],
    ['GET', '/v1/questions?limit=0'],
    ['GET', '/v1/questions?cursor=bm8'],
    ['GET', '/v1/questions?offset=1'],
    ['GET', '/v1/registers?limit=1'],
    ['GET', '/v1/receipts/rcp_1?formt=envelope'],
    ['GET', '/v1/cases?state=lost'],
    ['GET', '/v1/cases?cursor=bm8'],
    ['GET', '/v1/questions/%00'],
    ['GET', '/v1/receipts/a%2Fb'],
    ['GET', '/v1/registers/%00'],
  ])('%s %s is a bad parameter and not an error of ours', async (_, path) => {
    const response = await gateway.api.get(path).set(key).expect(400);
    expect(response.body.errors[0].parameter).toEqual(expect.any(String));
  });

  it('a question, register, receipt and case that never were are 404; fails when an unknown id looks like an error of ours', async () => {
    for (const path of ['/v1/questions/q-none', '/v1/registers/none', '/v1/receipts/rcp_none', '/v1/cases/none', '/v1/receipts/key']) {
      expect((await gateway.api.get(path).set(key)).status, path).toBe(404);
    }
  });
});
