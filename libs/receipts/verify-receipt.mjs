#!/usr/bin/env node
// Verifies one receipt offline, with Node's own modules and none of Lacuna's code: envelope and payload are canonical JSON (RFC 8785), and
// the Ed25519 signature over the DSSE v1 encoding is by the given key.
import { createHash, createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';

const usage = `usage: node verify-receipt.mjs ENVELOPE.json PUBLIC-KEY.pem [--json]
Prints the receipt's verdict, hash and statement. Exit code 0: signed by this key and unchanged. 1: not so, or not readable.`;
const receiptType = 'application/vnd.lacuna.receipt.v1+json';

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');
const base64 = (text) => Buffer.from(text, 'base64');
function must(holds, why) {
  if (!holds) throw new Error(why);
}

function canonical(value) {
  if (typeof value === 'string') must(!/\p{Surrogate}/u.test(value), 'text with a lone surrogate');
  if (typeof value === 'number') must(Number.isSafeInteger(value) || value % 1, 'integer beyond 2^53 - 1');
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${canonical(name)}:${canonical(value[name])}`).join()}}`;
}

function parse(bytes, what) {
  const value = JSON.parse(bytes.toString('utf8'));
  must(bytes.equals(Buffer.from(canonical(value))), `${what} is not canonical JSON`);
  return value;
}

function open(envelopeBytes, publicKey) {
  const { payloadType, payload, signatures } = parse(envelopeBytes, 'the envelope');
  const [{ keyid, sig }] = signatures;
  const only = { payload: base64(payload).toString('base64'), payloadType, signatures: [{ keyid, sig: base64(sig).toString('base64') }] };
  must(envelopeBytes.equals(Buffer.from(canonical(only))), 'the envelope has other members, or other base64, than a receipt has');
  must(publicKey.asymmetricKeyType === 'ed25519', 'the key is not an Ed25519 key');
  must(keyid === sha256(publicKey.export({ type: 'spki', format: 'der' })), 'signed by another key');
  const body = base64(payload);
  const signed = Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${body.length} `), body]);
  must(verify(null, signed, publicKey, base64(sig)), 'the signature does not fit');
  const receipt = parse(body, 'the payload');
  const { verdict, statement } = receipt.verdict ?? {};
  const isReceipt = payloadType === receiptType && receipt.schemaVersion === 'lacuna.receipt/v1' && typeof statement === 'string';
  must(isReceipt, 'signed, but not a receipt');
  return { ok: true, verdict, receiptHash: sha256(body), statement, receiptId: receipt.receiptId, keyid };
}

const args = process.argv.slice(2);
const [envelopePath, keyPath] = args.filter((arg) => !arg.startsWith('--'));
const helpAsked = args.includes('--help');
let result = { ok: false, why: usage };
try {
  if (keyPath && !helpAsked) result = open(readFileSync(envelopePath), createPublicKey(readFileSync(keyPath, 'utf8')));
} catch (error) {
  result = { ok: false, why: `NOT VERIFIED: ${error.message}` };
}
const text = result.ok ? `${result.verdict}\n${result.receiptHash}\n${result.statement.replace(/[\p{Cc}\p{Cf}]/gu, ' ')}` : result.why;
process.exitCode = result.ok || helpAsked ? 0 : 1;
console[process.exitCode ? 'error' : 'log'](args.includes('--json') ? JSON.stringify(result) : text);
