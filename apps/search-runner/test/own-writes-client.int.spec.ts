/** The client against a real HTTP server in write-guard's place. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sha256Of } from '@lacuna/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { OwnWritesClient, type OwnWritesClientInput } from '../src/own-writes/own-writes-client.js';

interface Asked {
  readonly tenantId: string;
  readonly target: string;
  readonly keyDigests: readonly string[];
}

const closes: (() => void)[] = [];
afterEach(() => closes.splice(0).forEach((close) => close()));

const free = (keyDigest: string) => ({ keyDigest, state: 'free', recordId: null, status: null, clearAt: null });

async function client(
  answer: (asked: Asked, response: ServerResponse) => unknown = ({ keyDigests }) => ({ slots: keyDigests.map(free) }),
  input: Partial<OwnWritesClientInput> = {},
) {
  const requests: (Asked & { authorization: string | undefined; path: string | undefined })[] = [];
  const server = createServer(async (request: IncomingMessage, response) => {
    const asked = JSON.parse(Buffer.concat(await request.toArray()).toString()) as Asked;
    requests.push({ ...asked, authorization: request.headers.authorization, path: request.url });
    const body = answer(asked, response);
    if (body !== undefined) response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  closes.push(() => server.close().closeAllConnections());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { requests, client: new OwnWritesClient({ url, serviceToken: 'a-service-token!', now: () => new Date(), ...input }) };
}

const lookup = (key: string, tenantId = 't1', target = 'service-request') => ({
  tenantId,
  target,
  keyPolicy: sha256Of('policy'),
  keyDigest: sha256Of(key),
});
const refusing =
  (status: number) =>
  (_: Asked, response: ServerResponse): string => {
    response.statusCode = status;
    return '{}';
  };

describe('the client of own-writes', () => {
  it('gathers lookups that come together into one request per tenant and target, with its token', async () => {
    const { requests, client: slots } = await client();
    const wanted = [lookup('a'), lookup('b'), lookup('a'), lookup('a', 't2'), lookup('a', 't1', 'other')];
    const readings = await Promise.all(wanted.map((each) => slots.read(each)));
    expect(readings.map((reading) => reading.ok && reading.slot.keyDigest)).toEqual(wanted.map(({ keyDigest }) => keyDigest));
    expect(requests).toHaveLength(3);
    expect(requests.find(({ keyDigests }) => keyDigests.length === 2)).toMatchObject({
      tenantId: 't1',
      path: '/internal/own-writes',
      authorization: 'Bearer a-service-token!',
    });
  });

  it('asks for at most 500 keys at once; fails when write-guard would refuse the batch, and with it every search in it', async () => {
    const { requests, client: slots } = await client();
    const readings = await Promise.all(Array.from({ length: 1_201 }, (_, index) => slots.read(lookup(`k${index}`))));
    expect(readings.every((reading) => reading.ok)).toBe(true);
    expect(requests.map(({ keyDigests }) => keyDigests.length).sort()).toEqual([201, 500, 500]);
  });

  it('has a reading that began after it was asked for: the slot is seen up to that moment', async () => {
    const { client: slots } = await client();
    const askedAt = new Date().toISOString();
    const reading = await slots.read(lookup('a'));
    expect(reading.ok && reading.startedAt >= askedAt && reading.endedAt >= reading.startedAt).toBe(true);
  });

  const slot = (changes: object) => () => ({ slots: [{ ...free(sha256Of('a')), ...changes }] });
  it.each([
    ['its token is refused', refusing(401), 'source-forbidden'],
    ['it may not ask', refusing(403), 'source-forbidden'],
    ['write-guard is not ready', refusing(503), 'source-unavailable'],
    ['the slots have another key policy', refusing(409), 'predicate-narrower'],
    ['another service answers', refusing(404), 'source-unavailable'],
    ['the answer is no JSON', () => '<html>', 'response-invalid'],
    ['the answer is null', () => 'null', 'response-invalid'],
    ['the answer has no slots', () => ({}), 'response-invalid'],
    ['a slot is none', () => ({ slots: [null] }), 'response-invalid'],
    ['the slot is missing', () => ({ slots: [] }), 'response-invalid'],
    ['the slot is there twice', () => ({ slots: [free(sha256Of('a')), free(sha256Of('a'))] }), 'response-invalid'],
    ['a state is unknown', slot({ state: 'gone' }), 'response-invalid'],
    ['a settled slot names no record', slot({ state: 'settled' }), 'response-invalid'],
    ['a free slot names a record', slot({ recordId: 'rec-1' }), 'response-invalid'],
    ['there is no answer in time', () => undefined, 'timed-out'],
  ])('has a reason when %s; fails when a bad answer reads as a free slot', async (_, answer, reason) => {
    const { client: slots } = await client(answer, { requestMsMax: 300 });
    expect(await slots.read(lookup('a'))).toMatchObject({ ok: false, reason });
  });

  it('follows no redirect: the token goes to write-guard alone', async () => {
    const elsewhere = await client();
    const moved = (_: Asked, response: ServerResponse) => {
      response.writeHead(307, { location: 'http://127.0.0.1:1/' });
      return '';
    };
    const { client: slots } = await client(moved);
    expect(await slots.read(lookup('a'))).toMatchObject({ ok: false, reason: 'source-unavailable' });
    expect(elsewhere.requests).toEqual([]);
  });

  it('says what to set when it does not know where write-guard is, and is unavailable where nothing listens', async () => {
    const { client: nowhere } = await client(undefined, { url: null });
    expect(await nowhere.read(lookup('a'))).toMatchObject({ reason: 'source-unavailable', detail: 'LACUNA_WRITE_GUARD_URL is not set' });
    const { client: dead } = await client(undefined, { url: 'http://127.0.0.1:1' });
    expect(await dead.read(lookup('a'))).toMatchObject({ reason: 'source-unavailable' });
  });
});
