import { createPublicKey, KeyObject } from 'node:crypto';
import { JsonValue, parseCanonicalJson, sha256Hex } from './canonical-json.js';
import { EnvelopeDefect, openEnvelope } from './dsse.js';
import { receiptIdOf, receiptPayloadType } from './receipt.js';
import { ReceiptPayload, receiptSchemaVersion } from './receipt-payload.js';

/** Above every envelope that `sealReceipt` can make. */
const envelopeBytesMax = 1_000_000;

export type VerificationFailure =
  | EnvelopeDefect
  | 'envelope-too-large'
  | 'public-key-unreadable'
  | 'payload-type-unknown'
  | 'payload-not-json'
  | 'payload-not-canonical'
  | 'payload-not-a-receipt';

export type Verification = { ok: true; payload: ReceiptPayload; receiptHash: string } | { ok: false; why: VerificationFailure };

/**
 * Whether these bytes are a receipt that the holder of this key signed. It says nothing about whether the receipt is in a log.
 *
 * @param publicKeyPem SPKI, PEM, Ed25519
 * @returns every failure as a value; nothing is thrown for any bytes or text
 */
export function verifyEnvelope(envelopeBytes: Uint8Array, publicKeyPem: string): Verification {
  const publicKey = publicKeyOf(publicKeyPem);
  if (publicKey === null) return { ok: false, why: 'public-key-unreadable' };
  if (envelopeBytes.byteLength > envelopeBytesMax) return { ok: false, why: 'envelope-too-large' };
  const opened = openEnvelope(envelopeBytes, publicKey);
  if (!opened.ok) return opened;
  if (opened.payloadType !== receiptPayloadType) return { ok: false, why: 'payload-type-unknown' };
  const parsed = parseCanonicalJson(opened.payload);
  if (!parsed.ok) return { ok: false, why: `payload-${parsed.why}` };
  if (!isReceipt(parsed.value)) return { ok: false, why: 'payload-not-a-receipt' };
  return { ok: true, payload: parsed.value, receiptHash: sha256Hex(opened.payload) };
}

function publicKeyOf(pem: string): KeyObject | null {
  try {
    const key = createPublicKey(pem);
    return key.asymmetricKeyType === 'ed25519' ? key : null;
  } catch {
    return null;
  }
}

/** The signer vouches for the fields within the groups; the version says which they are, and the id must be this question's. */
function isReceipt(value: JsonValue): value is JsonValue & ReceiptPayload {
  const receipt = value as unknown as Partial<ReceiptPayload> | null;
  if (receipt?.schemaVersion !== receiptSchemaVersion) return false;
  const { question, method, boundary, traversal, verdict } = receipt;
  if (![question, method, boundary, traversal, verdict].every((group) => typeof group === 'object' && group !== null)) return false;
  const { tenantId, questionId, generation } = question as ReceiptPayload['question'];
  return (
    [tenantId, questionId, generation].every((part) => part !== undefined) &&
    receipt.receiptId === receiptIdOf(tenantId, questionId, generation)
  );
}
