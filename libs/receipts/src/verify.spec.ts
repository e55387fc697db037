import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { aReceiptInput } from '../test/a-receipt.js';
import { canonicalJson } from './canonical-json.js';
import { signEnvelope } from './dsse.js';
import { buildReceipt, receiptBytesMax, receiptPayloadType, sealReceipt } from './receipt.js';
import { generateSigningKey } from './signing-key.js';
import { verifyEnvelope } from './verify.js';

const key = generateSigningKey();
const { payload, payloadBytes, receiptHash } = buildReceipt(aReceiptInput());
const { envelopeBytes } = sealReceipt(payload, key);
const signed = (bytes: Buffer, type = receiptPayloadType): Buffer => signEnvelope(type, bytes, key);
const changed = (change: object): Buffer => signed(canonicalJson({ ...payload, ...change }));

it('gives the payload and hash of a receipt that this key signed', () => {
  expect(verifyEnvelope(envelopeBytes, key.publicKeyPem)).toEqual({ ok: true, payload, receiptHash });
});

// Each fails if what is signed by the key, but is no receipt, passes for one: another document, another schema, ambiguous bytes.
it.each([
  ['another payload type', signed(payloadBytes, 'application/json'), 'payload-type-unknown'],
  ['a payload that is not JSON', signed(Buffer.from('no')), 'payload-not-json'],
  ['a payload with a space', signed(Buffer.from(`${payloadBytes} `)), 'payload-not-canonical'],
  ['a null payload', signed(Buffer.from('null')), 'payload-not-a-receipt'],
  ['a later schema', changed({ schemaVersion: 'lacuna.receipt/v2' }), 'payload-not-a-receipt'],
  ['a missing field group', changed({ boundary: null }), 'payload-not-a-receipt'],
  ["another receipt's id", changed({ receiptId: `rcp_${'0'.repeat(32)}` }), 'payload-not-a-receipt'],
  ['an empty question', changed({ question: {} }), 'payload-not-a-receipt'],
  ['more bytes than an envelope has', Buffer.alloc(1_000_001, ' '), 'envelope-too-large'],
  ['no bytes', Buffer.alloc(0), 'envelope-not-json'],
])('refuses %s', (_name, bytes, why) => expect(verifyEnvelope(bytes, key.publicKeyPem)).toEqual({ ok: false, why }));

// Fails if one byte of a receipt in transit or at rest can change unnoticed.
it('refuses an envelope after a change of any one byte', () => {
  const aChange = fc.record({ at: fc.nat(envelopeBytes.length - 1), bits: fc.integer({ min: 1, max: 255 }) });
  fc.assert(
    fc.property(aChange, ({ at, bits }) => {
      const bytes = Buffer.from(envelopeBytes);
      bytes[at] = (bytes[at] as number) ^ bits;
      expect(verifyEnvelope(bytes, key.publicKeyPem).ok).toBe(false);
    }),
    { numRuns: 1_000 },
  );
});

// Fails if a foreign signer is accepted.
it('refuses a receipt under another key', () => {
  expect(verifyEnvelope(envelopeBytes, generateSigningKey().publicKeyPem)).toEqual({ ok: false, why: 'key-unknown' });
});

// Fails if an unusable key throws, or is taken for a bad receipt.
it('says that a public key is unreadable or of another algorithm', () => {
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ type: 'spki', format: 'pem' }).toString();
  for (const pem of ['', 'no key', ec]) expect(verifyEnvelope(envelopeBytes, pem)).toEqual({ ok: false, why: 'public-key-unreadable' });
});

// Fails if the two bounds part: a receipt that can be built and signed could then never be verified.
it('accepts the largest receipt that can be built', () => {
  const statement = 'x'.repeat(receiptBytesMax - payloadBytes.byteLength + payload.verdict.statement.length);
  const largest = buildReceipt(aReceiptInput({ verdict: { statement } }));
  expect(largest.payloadBytes.byteLength).toBe(receiptBytesMax);
  expect(verifyEnvelope(sealReceipt(largest.payload, key).envelopeBytes, key.publicKeyPem).ok).toBe(true);
});
