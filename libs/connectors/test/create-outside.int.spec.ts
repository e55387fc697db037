/** What one create at an outside system comes to, against a real server that behaves and one that does not. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createOutside, type CreateInput, type OutsideCreate } from '../kit/index.js';

const servers: { close(): unknown }[] = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));

const create: OutsideCreate = {
  url: { env: 'DESK' },
  path: '/tickets',
  auth: { kind: 'bearer', token: { env: 'TOKEN' } },
  headers: { 'x-version': '1' },
  payloadAt: '/ticket',
  idempotencyHeader: 'idempotency-key',
  requestTimeoutMs: 300,
  created: { statuses: [201], id: '/id' },
  conflict: { statuses: [409], id: '/existing' },
  otherPayload: { status: 422, path: '/code', equals: 'key_reused' },
};

async function listening(server: Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const answering = (answer: (request: IncomingMessage, response: ServerResponse, body: string) => void) =>
  listening(
    createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => answer(request, response, Buffer.concat(chunks).toString('utf8')));
    }),
  );

const sendTo = (host: string, changes: Partial<CreateInput> = {}) =>
  createOutside({
    create,
    payload: { subject: 'lamp' },
    idempotencyKey: 'slot-1',
    secrets: (reference) => ({ DESK: `http://${host}`, TOKEN: 't0' })['env' in reference ? reference.env : ''] ?? null,
    egress: { hosts: new Set([host]), networks: [] },
    clock: { now: () => new Date() },
    signal: new AbortController().signal,
    maySend: () => true,
    ...changes,
  });

describe('a create', () => {
  it('sends payload, credential and idempotency key once, and is confirmed by the id in the answer', async () => {
    const seen: unknown[] = [];
    const host = await answering(({ method, url, headers }, response, body) => {
      seen.push([method, url, headers.authorization, headers['idempotency-key'], headers['x-version'], body]);
      response.writeHead(201).end('{"id": 90071992547409931}');
    });
    expect(await sendTo(host)).toEqual({ type: 'created', recordId: '90071992547409931' });
    expect(seen).toEqual([['POST', '/tickets', 'Bearer t0', 'slot-1', '1', '{"ticket":{"subject":"lamp"}}']]);
  });

  const answers: readonly (readonly [string, number, string, object])[] = [
    ['201 without an id', 201, '{}', { type: 'unknown' }],
    ['201 with an empty id', 201, '{"id":""}', { type: 'unknown' }],
    ['201 that is no JSON', 201, '<html>', { type: 'unknown' }],
    ['202, which promises nothing', 202, '{"id":"7"}', { type: 'unknown' }],
    ['409 that names the record', 409, '{"existing":"7"}', { type: 'exists', recordId: '7' }],
    ['409 that names none', 409, '{}', { type: 'unknown' }],
    ['422 for another payload under this key', 422, '{"code":"key_reused"}', { type: 'exists', recordId: null }],
    ['422 for anything else', 422, '{"code":"subject_missing"}', { type: 'refused' }],
    ['400', 400, '', { type: 'refused' }],
    ['403', 403, '', { type: 'refused' }],
    ['408', 408, '', { type: 'not-sent' }],
    ['429', 429, '', { type: 'not-sent', retryAfterMs: 7_000 }],
    ['303, which may follow a creation', 303, '', { type: 'unknown' }],
    ['500', 500, '', { type: 'unknown' }],
    ['502', 502, '', { type: 'unknown' }],
    ['503', 503, '', { type: 'unknown' }],
    ['504', 504, '', { type: 'unknown' }],
  ];
  it.each(answers)('answered with %s: nothing is guessed', async (_, status, body, outcome) => {
    const host = await answering((_request, response) => response.writeHead(status, { 'retry-after': '7' }).end(body));
    expect(await sendTo(host)).toMatchObject(outcome);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['never answered', () => undefined],
    ['reset after it was read', (response) => response.socket?.resetAndDestroy()],
    ['answered by half an answer', (response) => response.writeHead(201, { 'content-length': '90' }).write('{"id":')],
  ])('%s is unknown: it may have been carried out', async (_, answer) => {
    const host = await answering((_request, response) => answer(response));
    expect(await sendTo(host)).toMatchObject({ type: 'unknown' });
  });

  it('reset at its first bytes is unknown: the sender cannot tell how much was read', async () => {
    const host = await listening(createTcpServer((socket) => void socket.once('data', () => socket.resetAndDestroy())));
    expect(await sendTo(host)).toMatchObject({ type: 'unknown' });
  });

  it('to where nobody listens was not sent', async () => {
    const server = createTcpServer();
    const host = await listening(server);
    await new Promise((closed) => server.close(closed));
    expect(await sendTo(host)).toMatchObject({ type: 'not-sent' });
  });

  it('without its secret was not sent; to a host that is not allowed it is refused', async () => {
    const seen: string[] = [];
    const host = await answering((_request, response) => (seen.push('asked'), response.end()));
    const secrets: CreateInput['secrets'] = (reference) => ('env' in reference && reference.env === 'DESK' ? `http://${host}` : null);
    expect(await sendTo(host, { secrets })).toMatchObject({ type: 'not-sent', detail: 'TOKEN is not set' });
    expect(await sendTo(host, { egress: { hosts: new Set(), networks: [] } })).toMatchObject({ type: 'refused' });
    expect(seen).toEqual([]);
  });

  it('is not sent by who may not send any more; fails when a sender that lost its lease still creates', async () => {
    const seen: string[] = [];
    const host = await answering((_request, response) => (seen.push('asked'), response.end()));
    expect(await sendTo(host, { maySend: () => false })).toMatchObject({ type: 'not-sent' });
    expect(seen).toEqual([]);
  });
});
