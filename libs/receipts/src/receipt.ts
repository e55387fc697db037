import { canonicalJson, sha256Hex } from './canonical-json.js';
import { signEnvelope } from './dsse.js';
import { InputRefusedError } from './input-refused-error.js';
import { contradictionIn } from './receipt-contradiction.js';
import { OpenOrHashed, ReceiptInput, ReceiptPayload, receiptSchemaVersion } from './receipt-payload.js';
import { SigningKey } from './signing-key.js';

/** DSSE payload type of every receipt. */
export const receiptPayloadType = 'application/vnd.lacuna.receipt.v1+json';

/** Greatest canonical payload; its envelope (base64, 4/3 of it) stays below the 1 MiB that a Kafka broker takes by default. */
export const receiptBytesMax = 700_000;

export interface BuiltReceipt {
  /** What the bytes say: a copy, so that a later change of the input cannot part the two. */
  readonly payload: ReceiptPayload;
  readonly payloadBytes: Buffer;
  /** SHA-256 of `payloadBytes`, 64 hex digits. */
  readonly receiptHash: string;
}

export interface SealedReceipt {
  /** The leaf: kept and sent unchanged. */
  readonly envelopeBytes: Buffer;
  readonly receiptHash: string;
}

/**
 * The receipt of one generation: pure, so that a replay gives the same bytes (V4).
 *
 * @throws InputRefusedError `receipt-contradicts-itself`, `personal-value-unclear` (not exactly one of value and valueHash),
 *   `receipt-too-large` (above `receiptBytesMax`; list fewer rows and count them in `unlisted`), or what `canonicalJson` refuses
 */
export function buildReceipt(input: ReceiptInput): BuiltReceipt {
  const { question, method, boundary, traversal, verdict } = input;
  const receiptId = receiptIdOf(question.tenantId, question.questionId, question.generation);
  const payloadBytes = bytesOf({ schemaVersion: receiptSchemaVersion, receiptId, question, method, boundary, traversal, verdict });
  const payload = JSON.parse(payloadBytes.toString('utf8')) as ReceiptPayload;
  return { payload, payloadBytes, receiptHash: sha256Hex(payloadBytes) };
}

/**
 * Signs a receipt. The same payload and key give the same bytes.
 *
 * @throws InputRefusedError as `buildReceipt`: what contradicts itself is never signed
 */
export function sealReceipt(payload: ReceiptPayload, key: SigningKey): SealedReceipt {
  const payloadBytes = bytesOf(payload);
  return { envelopeBytes: signEnvelope(receiptPayloadType, payloadBytes, key), receiptHash: sha256Hex(payloadBytes) };
}

/** `rcp_` and 32 hex digits; the same for every replay of one generation. */
export function receiptIdOf(tenantId: string, questionId: string, generation: number): string {
  return `rcp_${sha256Hex(canonicalJson([tenantId, questionId, generation])).slice(0, 32)}`;
}

function bytesOf(payload: ReceiptPayload): Buffer {
  const { principal, identifiers } = payload.question;
  if (![principal, ...identifiers].every(isOpenOrHashed)) {
    throw new InputRefusedError('personal-value-unclear', 'principal and identifiers carry either a value or a valueHash');
  }
  const contradiction = contradictionIn(payload);
  if (contradiction !== null) throw new InputRefusedError('receipt-contradicts-itself', contradiction);
  const payloadBytes = canonicalJson(payload);
  if (payloadBytes.byteLength > receiptBytesMax) {
    throw new InputRefusedError('receipt-too-large', `${payloadBytes.byteLength} bytes, at most ${receiptBytesMax}`);
  }
  return payloadBytes;
}

/** Both at once would put a personal value beside its own hash, for ever. */
function isOpenOrHashed({ value, valueHash }: OpenOrHashed): boolean {
  return valueHash === undefined ? typeof value === 'string' : value === undefined && /^[0-9a-f]{64}$/.test(valueHash);
}
