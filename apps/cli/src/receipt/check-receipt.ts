/** Whether what gateway sent as this receipt is one, signed with this key. Pure. */
import { canonicalJson, sha256Hex, verifyEnvelope, type JsonValue, type ReceiptPayload, type VerificationFailure } from '@lacuna/receipts';

export type Check =
  { readonly ok: true; readonly payload: ReceiptPayload; readonly receiptHash: string } | { readonly ok: false; readonly why: string };

const meanings: Readonly<Record<VerificationFailure, string>> = {
  'envelope-not-json': 'the envelope is not JSON',
  'envelope-not-canonical': 'the envelope is not canonical JSON: its bytes were changed',
  'envelope-malformed': 'the envelope is no DSSE envelope with one signature',
  'envelope-too-large': 'the envelope is larger than any receipt',
  'key-unknown': 'it was signed with another key than this one',
  'signature-invalid': 'the signature does not fit: the receipt was changed, or is forged',
  'public-key-unreadable': 'the key file holds no Ed25519 public key in PEM',
  'payload-type-unknown': 'the envelope holds something else than a receipt',
  'payload-not-json': 'the payload is not JSON',
  'payload-not-canonical': 'the payload is not canonical JSON',
  'payload-not-a-receipt': 'the payload is no receipt that this version knows',
};

/** What gateway says beside the envelope, for reading. */
export interface Beside {
  readonly payload: unknown;
  readonly receiptHash: unknown;
}

export function checkReceipt(receiptId: string, envelope: Uint8Array, publicKeyPem: string, beside: Beside): Check {
  const verified = verifyEnvelope(envelope, publicKeyPem);
  if (!verified.ok) return { ok: false, why: meanings[verified.why] };
  const { payload, receiptHash } = verified;
  if (payload.receiptId !== receiptId) return { ok: false, why: `it is another receipt, ${payload.receiptId}` };
  if (beside.receiptHash !== receiptHash || hashOf(beside.payload) !== receiptHash)
    return { ok: false, why: 'what the gateway shows beside the envelope is not what was signed' };
  return { ok: true, payload, receiptHash };
}

function hashOf(payload: unknown): string | null {
  try {
    return sha256Hex(canonicalJson(payload as JsonValue));
  } catch {
    return null;
  }
}
