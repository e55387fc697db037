import { createPublicKey } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.js';
import { Envelope, openEnvelope, preAuthEncoding, signEnvelope } from './dsse.js';
import { generateSigningKey } from './signing-key.js';

const key = generateSigningKey();
const publicKey = createPublicKey(key.publicKeyPem);
const payload = Buffer.from('hello world');
const envelopeBytes = signEnvelope('http://example.com/HelloWorld', payload, key);
const envelope = JSON.parse(envelopeBytes.toString()) as Envelope;

describe('the pre-authentication encoding', () => {
  // Fails if our signatures are over other bytes than every other DSSE tool's.
  it("is that of the DSSE v1 protocol's example", () => {
    expect(preAuthEncoding('http://example.com/HelloWorld', payload).toString()).toBe(
      'DSSEv1 29 http://example.com/HelloWorld 11 hello world',
    );
  });

  // Fails if lengths count characters: type and payload could then be shifted against each other.
  it('counts bytes', () => expect(preAuthEncoding('é', Buffer.from('€')).toString()).toBe('DSSEv1 2 é 3 €'));
});

describe('an envelope', () => {
  it('opens under the key that signed it', () => {
    expect(openEnvelope(envelopeBytes, publicKey)).toEqual({ ok: true, payloadType: 'http://example.com/HelloWorld', payload });
  });

  // Fails if signing is not a function of payload and key: a replay would make a second leaf for one receipt.
  it('has the same canonical bytes each time', () => {
    expect(signEnvelope('http://example.com/HelloWorld', payload, key)).toEqual(envelopeBytes);
    expect(canonicalJson(envelope)).toEqual(envelopeBytes);
  });

  // Fails if any byte of a leaf is not covered: someone without the key could make a second leaf for one receipt.
  it('does not open after a change of any one byte', () => {
    const aChange = fc.record({ at: fc.nat(envelopeBytes.length - 1), bits: fc.integer({ min: 1, max: 255 }) });
    fc.assert(
      fc.property(aChange, ({ at, bits }) => {
        const changed = Buffer.from(envelopeBytes);
        changed[at] = (changed[at] as number) ^ bits;
        expect(openEnvelope(changed, publicKey).ok).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  // Fails if arbitrary input is thrown back at the caller instead of being answered.
  it('is answered and never thrown for any JSON', () => {
    fc.assert(fc.property(fc.json(), (json) => !openEnvelope(Buffer.from(json), publicKey).ok));
  });

  const signature = envelope.signatures[0];
  const unpadded = envelope.payload.replace(/=+$/, '');
  // Fails if a spelling that verifies in a lax reader verifies here, or a defect is called by another's name.
  it.each([
    ['a second signature', { ...envelope, signatures: [signature, signature] }, 'envelope-malformed'],
    ['no signature', { ...envelope, signatures: [] }, 'envelope-malformed'],
    ['an extra member', { ...envelope, note: 1 }, 'envelope-malformed'],
    ['an extra member beside the signature', { ...envelope, signatures: [{ ...signature, cert: '' }] }, 'envelope-malformed'],
    ['unpadded base64', { ...envelope, payload: unpadded }, 'envelope-malformed'],
    ['no payload', { payloadType: envelope.payloadType, signatures: envelope.signatures }, 'envelope-malformed'],
    ['null', null, 'envelope-malformed'],
    ['another key id', { ...envelope, signatures: [{ ...signature, keyid: 'f'.repeat(64) }] }, 'key-unknown'],
    ['an empty signature', { ...envelope, signatures: [{ ...signature, sig: '' }] }, 'signature-invalid'],
    ['another type', { ...envelope, payloadType: 'text/plain' }, 'signature-invalid'],
  ])('with %s does not open', (_name, changed, why) => {
    expect(openEnvelope(canonicalJson(changed), publicKey)).toEqual({ ok: false, why });
  });

  // Fails if spaces or another order of members are let through: the leaf's bytes would not be the only ones.
  it('does not open when its bytes are not canonical', () => {
    expect(openEnvelope(Buffer.from(`${envelopeBytes} `), publicKey)).toEqual({ ok: false, why: 'envelope-not-canonical' });
  });

  // Fails if a key id given in the envelope is believed in place of the verifier's own key.
  it('does not open under another key', () => {
    const other = createPublicKey(generateSigningKey().publicKeyPem);
    expect(openEnvelope(envelopeBytes, other)).toEqual({ ok: false, why: 'key-unknown' });
  });
});
