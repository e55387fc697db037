/** What else may answer at the address of a gateway, or nothing. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildReceipt, generateSigningKey, sealReceipt } from '@lacuna/receipts';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { aReceiptInput } from '../../../libs/receipts/test/a-receipt.js';
import { runLacuna } from './run-lacuna.js';

const KEY = 'lk_kept-to-itself';
let server: Server | undefined;
afterEach(() => server?.close());

async function answering(listener: RequestListener): Promise<string> {
  server = createServer(listener);
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const ask = (url: string) => runLacuna(['--url', url, 'ask', 'r', 'a=1'], { LACUNA_API_KEY: KEY });

describe('what answers instead of a gateway', () => {
  it.each<[string, RequestListener, RegExp]>([
    ['a page', (_, response) => response.end('<html>welcome</html>'), /is no gateway: its answer is no JSON object/],
    ['another API', (_, response) => response.end('{"hello":1}'), /is no gateway: its answer is no answer to a question/],
    [
      'a broken proxy',
      (_, response) => response.writeHead(502).end('<h1>Bad Gateway</h1>'),
      /no problem\+json: <h1>Bad Gateway<\/h1> \(HTTP 502\)/,
    ],
    ['a server that hangs up', (request) => request.socket.destroy(), /no gateway answers at .*npm start/],
    ['far too much', (_, response) => response.end(Buffer.alloc(16_777_217, 32)), /more than 16777216 bytes/],
  ])('%s is said in one line, without the key', async (_, listener, reason) => {
    const ran = await ask(await answering(listener));
    expect(ran).toEqual({ exitCode: 1, out: '', err: expect.stringMatching(reason) });
    expect(ran.err.trimEnd().split('\n')).toHaveLength(1);
    expect(ran.err).not.toContain(KEY);
  });

  it('is not given the key by a redirect; fails when a redirect is followed', async () => {
    const asked: string[] = [];
    const url = await answering((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    const ran = await ask(url);
    expect(ran).toMatchObject({ exitCode: 1, err: expect.stringContaining('sends elsewhere (HTTP 307)') });
    expect(asked).toEqual(['/v1/questions?wait=30']);
  });

  it('may be nothing: then the line says how to start one', async () => {
    const url = await answering(() => undefined);
    server?.close();
    expect(await ask(url)).toMatchObject({ exitCode: 1, err: expect.stringMatching(/ECONNREFUSED.*npm start.*LACUNA_URL/) });
  });
});

describe('a receipt from a gateway that lies', () => {
  const signer = generateSigningKey();
  const folder = mkdtempSync(join(tmpdir(), 'lacuna-cli-'));
  const pem = join(folder, 'key.pem');
  writeFileSync(pem, signer.publicKeyPem);
  afterAll(() => rmSync(folder, { recursive: true }));

  const { payload, receiptHash } = buildReceipt(aReceiptInput());
  const view = { leafIndex: 0, receiptHash, envelope: sealReceipt(payload, signer).envelopeBytes.toString('base64'), payload };
  const receipt = async (id: string, answer: object, ...more: string[]) => {
    const url = await answering((_, response) => response.end(JSON.stringify(answer)));
    return runLacuna(['receipt', id, '--verify', pem, '--url', url, ...more], { LACUNA_API_KEY: KEY });
  };

  it('is shown when nothing is changed', async () => {
    expect((await receipt(payload.receiptId, view)).exitCode).toBe(0);
  });

  it('is refused when a payload stands beside the envelope that was not signed; fails when --json prints it under "verified"', async () => {
    const other = { ...payload, verdict: { ...payload.verdict, statement: 'Nothing of the kind exists.' } };
    const ran = await receipt(payload.receiptId, { ...view, payload: other }, '--json');
    expect(ran).toEqual({ exitCode: 1, out: '', err: expect.stringContaining('is not what was signed') });
  });

  it('is refused when it is a valid receipt of another question', async () => {
    const ran = await receipt('rcp_another', view);
    expect(ran).toEqual({ exitCode: 1, out: '', err: expect.stringContaining(`it is another receipt, ${payload.receiptId}`) });
  });
});
