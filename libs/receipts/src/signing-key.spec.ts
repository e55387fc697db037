import { createHash, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { refusalOf } from '../test/refusal.js';
import { generateSigningKey, loadSigningKey, signingKeyPem } from './signing-key.js';

// Fails if a key read back signs under another id, so that its receipts would look foreign after a restart.
it('has the same id after it was written and loaded', () => {
  const key = generateSigningKey();
  const loaded = loadSigningKey(signingKeyPem(key));
  expect([loaded.keyid, loaded.publicKeyPem]).toEqual([key.keyid, key.publicKeyPem]);
});

// Fails if the id is taken over the PEM text or the raw key, which other tools would not find.
it('is named by the SHA-256 of its SPKI DER bytes', () => {
  const key = generateSigningKey();
  const der = createPublicKey(key.publicKeyPem).export({ type: 'spki', format: 'der' });
  expect(key.keyid).toBe(createHash('sha256').update(der).digest('hex'));
});

// Fails if another algorithm's key is taken, with which verifiers could do nothing.
it('is refused when it is not Ed25519', () => {
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' });
  expect(refusalOf(() => loadSigningKey(ec.toString()))).toBe('signing-key-not-ed25519');
});

// Fails if a public key, or any text, in the key's place is not called what it is.
it('is refused when the text is no private key', () => {
  expect(refusalOf(() => loadSigningKey(generateSigningKey().publicKeyPem))).toBe('signing-key-unreadable');
  expect(refusalOf(() => loadSigningKey('secret'))).toBe('signing-key-unreadable');
});

// Fails if the private part can be read from a log line.
it('shows no secret when it is printed as JSON', () => {
  const key = generateSigningKey();
  const secret = key.privateKey.export({ format: 'jwk' }).d as string;
  expect(JSON.stringify(key)).not.toContain('PRIVATE');
  expect(JSON.stringify(key)).not.toContain(secret);
});
