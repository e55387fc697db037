import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import {
  buildReceipt,
  canonicalJson,
  Envelope,
  generateSigningKey,
  preAuthEncoding,
  receiptPayloadType,
  sealReceipt,
  signEnvelope,
  verifyEnvelope,
} from '../src/index.js';
import { aHold, aReceiptInput } from './a-receipt.js';

const script = fileURLToPath(new URL('../verify-receipt.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'lacuna-receipt-'));
afterAll(() => rmSync(folder, { recursive: true }));

const key = generateSigningKey();
const { payload, payloadBytes, receiptHash } = buildReceipt(
  aReceiptInput({ verdict: { ...aHold, statement: 'Not read to its end:\u001b[2J été' } }),
);
const { envelopeBytes } = sealReceipt(payload, key);
const envelope = JSON.parse(envelopeBytes.toString()) as Envelope;
const signature = envelope.signatures[0];

const file = (name: string, bytes: Uint8Array | string): string => {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
};
const keyPath = file('public.pem', key.publicKeyPem);
const run = (...args: string[]) => spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });

const tamperedPayload = Buffer.from(payloadBytes.toString().replace('evidence-hold', 'scoped-no-match'));
const tampered: [string, Uint8Array][] = [
  ['another verdict', canonicalJson({ ...envelope, payload: tamperedPayload.toString('base64') })],
  ['another payload type', canonicalJson({ ...envelope, payloadType: 'application/json' })],
  ['another key id', canonicalJson({ ...envelope, signatures: [{ ...signature, keyid: 'f'.repeat(64) }] })],
  ['a second signature', canonicalJson({ ...envelope, signatures: [signature, signature] })],
  ['an extra member', canonicalJson({ ...envelope, note: '' })],
  ['unpadded base64', canonicalJson({ ...envelope, signatures: [{ ...signature, sig: signature.sig.replace(/=+$/, '') }] })],
  ['a line break at its end', Buffer.from(`${envelopeBytes}\n`)],
  ['a signature by another key', sealReceipt(payload, generateSigningKey()).envelopeBytes],
  ['a signed payload that is not canonical', signEnvelope(receiptPayloadType, Buffer.from(` ${payloadBytes}`), key)],
  ['a signed payload of another schema', signEnvelope(receiptPayloadType, canonicalJson({ ...payload, schemaVersion: 'v2' }), key)],
  ['a signed payload that is null', signEnvelope(receiptPayloadType, Buffer.from('null'), key)],
  [
    'a signed payload with a lone surrogate',
    signEnvelope(receiptPayloadType, Buffer.from(payloadBytes.toString().replace('été', '\\udc00')), key),
  ],
  ['a signed document of another type', signEnvelope('application/json', payloadBytes, key)],
  ['no JSON', Buffer.from('receipt')],
];

describe('verify-receipt.mjs', () => {
  const receiptPath = file('receipt.json', envelopeBytes);

  // Fails if the file needs anything but Node, differs from the library, or lets a statement write to the reader's terminal.
  it('prints verdict, hash and statement of a good receipt and exits with 0', () => {
    const { status, stdout } = run(receiptPath, keyPath);
    expect(stdout).toBe(`evidence-hold\n${receiptHash}\nNot read to its end: [2J été\n`);
    expect(status).toBe(0);
  });

  it('prints the same as JSON', () => {
    const { verdict, statement } = payload.verdict;
    const expected = { ok: true, verdict, receiptHash, statement, receiptId: payload.receiptId, keyid: key.keyid };
    expect(JSON.parse(run(receiptPath, keyPath, '--json').stdout)).toEqual(expected);
  });

  // Fails if the one file accepts what the library refuses, or the other way round.
  it.each(tampered)('exits with 1, as the library refuses, for %s', (name, bytes) => {
    const { status, stdout, stderr } = run(file(`${name}.json`, bytes), keyPath);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^NOT VERIFIED: .+\n$/);
    expect(verifyEnvelope(bytes, key.publicKeyPem).ok).toBe(false);
  });

  // Fails if a missing file or argument, or --help beside a bad receipt, could pass for a verified receipt.
  it('exits with 1 for missing files and arguments, and explains itself for --help', () => {
    expect(run(join(folder, 'none.json'), keyPath).status).toBe(1);
    expect(run(receiptPath).status).toBe(1);
    expect(JSON.parse(run(receiptPath, receiptPath, '--json').stderr)).toMatchObject({ ok: false });
    const help = run('--help', join(folder, 'none.json'), keyPath);
    expect(help.status).toBe(0);
    expect(help.stdout).toMatch(/^usage: node verify-receipt\.mjs ENVELOPE\.json PUBLIC-KEY\.pem \[--json\]/);
  });
});

describe('openssl', () => {
  const isThere = /^OpenSSL [3-9]/.test(spawnSync('openssl', ['version'], { encoding: 'utf8' }).stdout ?? '');
  const verify = (payloadToCheck: Uint8Array): number | null => {
    const paePath = file('pae.bin', preAuthEncoding(envelope.payloadType, payloadToCheck));
    const sigPath = file('sig.bin', Buffer.from(signature.sig, 'base64'));
    return spawnSync('openssl', ['pkeyutl', '-verify', '-pubin', '-inkey', keyPath, '-rawin', '-in', paePath, '-sigfile', sigPath]).status;
  };

  // Fails if a signature can be checked by our own code only. Skipped where OpenSSL 3 is not on the PATH.
  it.skipIf(!isThere)('(3 or later, on the PATH) verifies a receipt and refuses a tampered one', () => {
    expect(verify(Buffer.from(envelope.payload, 'base64'))).toBe(0);
    expect(verify(tamperedPayload)).toBe(1);
  });
});
