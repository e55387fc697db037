import { createPrivateKey, createPublicKey, generateKeyPairSync, KeyObject } from 'node:crypto';
import { sha256Hex } from './canonical-json.js';
import { InputRefusedError } from './input-refused-error.js';

/** An Ed25519 key pair. The private part is a KeyObject, which no log or JSON.stringify can print. */
export interface SigningKey {
  readonly keyid: string;
  readonly privateKey: KeyObject;
  /** SPKI, PEM: what a verifier is given. */
  readonly publicKeyPem: string;
}

/** A new Ed25519 key (RFC 8032) from the system's randomness. */
export function generateSigningKey(): SigningKey {
  return signingKeyOf(generateKeyPairSync('ed25519').privateKey);
}

/**
 * The key of an unencrypted PKCS #8 PEM text.
 *
 * @throws InputRefusedError `signing-key-unreadable`, `signing-key-not-ed25519`
 */
export function loadSigningKey(pem: string): SigningKey {
  let privateKey: KeyObject;
  try {
    privateKey = createPrivateKey(pem);
  } catch (cause) {
    throw new InputRefusedError('signing-key-unreadable', 'not an unencrypted PEM private key', { cause });
  }
  if (privateKey.asymmetricKeyType !== 'ed25519')
    throw new InputRefusedError('signing-key-not-ed25519', 'receipts are signed with Ed25519');
  return signingKeyOf(privateKey);
}

/** PKCS #8, PEM, unencrypted: what `loadSigningKey` reads. Secret. */
export function signingKeyPem(key: SigningKey): string {
  return key.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** The id of a public key: SHA-256 of its SPKI DER bytes, 64 hex digits. */
export function keyidOf(publicKey: KeyObject): string {
  return sha256Hex(publicKey.export({ type: 'spki', format: 'der' }));
}

function signingKeyOf(privateKey: KeyObject): SigningKey {
  const publicKey = createPublicKey(privateKey);
  return { keyid: keyidOf(publicKey), privateKey, publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }).toString() };
}
