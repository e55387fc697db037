import { KeyObject, sign, verify } from 'node:crypto';
import { canonicalJson, parseCanonicalJson } from './canonical-json.js';
import { keyidOf, SigningKey } from './signing-key.js';

/** DSSE v1 envelope. `payload` and `sig` are padded standard base64 (RFC 4648, section 4). */
export interface Envelope {
  readonly payloadType: string;
  readonly payload: string;
  readonly signatures: readonly [{ readonly keyid: string; readonly sig: string }];
}

export type EnvelopeDefect = 'envelope-not-json' | 'envelope-not-canonical' | 'envelope-malformed' | 'key-unknown' | 'signature-invalid';
export type OpenedEnvelope = { ok: true; payloadType: string; payload: Buffer } | { ok: false; why: EnvelopeDefect };

/** DSSE v1 pre-authentication encoding, the bytes that are signed: `DSSEv1 <type length> <type> <payload length> <payload>`, lengths in bytes. */
export function preAuthEncoding(payloadType: string, payload: Uint8Array): Buffer {
  const head = `DSSEv1 ${Buffer.byteLength(payloadType, 'utf8')} ${payloadType} ${payload.byteLength} `;
  return Buffer.concat([Buffer.from(head, 'utf8'), payload]);
}

/**
 * Signs with Ed25519, which has no randomness: the same payload and key give the same bytes.
 *
 * @returns the envelope's exact bytes (RFC 8785); they are the leaf of the log and are kept and sent unchanged
 */
export function signEnvelope(payloadType: string, payload: Uint8Array, key: SigningKey): Buffer {
  const sig = sign(null, preAuthEncoding(payloadType, payload), key.privateKey).toString('base64');
  const signatures = [{ keyid: key.keyid, sig }] as const;
  return canonicalJson({ payloadType, payload: Buffer.from(payload).toString('base64'), signatures } satisfies Envelope);
}

/**
 * Verifies an envelope under one public key, before anyone looks at its payload. Narrower than DSSE asks: exactly one signature, no other
 * member, standard base64 and canonical bytes, so that no byte of a leaf can be changed by someone without the key.
 */
export function openEnvelope(envelopeBytes: Uint8Array, publicKey: KeyObject): OpenedEnvelope {
  const parsed = parseCanonicalJson(envelopeBytes);
  if (!parsed.ok) return { ok: false, why: `envelope-${parsed.why}` };
  const envelope = envelopeIn(parsed.value);
  if (envelope === null || !canonicalJson(envelope).equals(envelopeBytes)) return { ok: false, why: 'envelope-malformed' };
  const [{ keyid, sig }] = envelope.signatures;
  if (keyid !== keyidOf(publicKey)) return { ok: false, why: 'key-unknown' };
  const payload = Buffer.from(envelope.payload, 'base64');
  const signed = preAuthEncoding(envelope.payloadType, payload);
  if (!verify(null, signed, publicKey, Buffer.from(sig, 'base64'))) return { ok: false, why: 'signature-invalid' };
  return { ok: true, payloadType: envelope.payloadType, payload };
}

/** The members that an envelope has, and only those: its bytes are compared with what was read, so an extra member shows as a difference. */
function envelopeIn(parsed: unknown): Envelope | null {
  const { payloadType, payload, signatures } = (parsed ?? {}) as Record<string, unknown>;
  const [signature] = Array.isArray(signatures) ? (signatures as unknown[]) : [];
  const { keyid, sig } = (signature ?? {}) as Record<string, unknown>;
  if (typeof payloadType !== 'string' || typeof keyid !== 'string' || !isBase64(payload) || !isBase64(sig)) return null;
  return { payloadType, payload, signatures: [{ keyid, sig }] };
}

/** Base64 has several spellings of the same bytes; only the one that encoding gives is accepted. */
function isBase64(text: unknown): text is string {
  return typeof text === 'string' && Buffer.from(text, 'base64').toString('base64') === text;
}
