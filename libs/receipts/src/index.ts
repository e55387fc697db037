export { canonicalJson, sha256Hex } from './canonical-json.js';
export type { JsonObject, JsonValue } from './canonical-json.js';
export { openEnvelope, preAuthEncoding, signEnvelope } from './dsse.js';
export type { Envelope, EnvelopeDefect, OpenedEnvelope } from './dsse.js';
export { InputRefusedError } from './input-refused-error.js';
export type { RefusalCode } from './input-refused-error.js';
export { keyDigest } from './key-digest.js';
export { leafHash, nodeHash, proveConsistency, proveInclusion, treeHead } from './merkle.js';
export { verifyConsistency, verifyInclusion } from './merkle-verify.js';
export type { ConsistencyClaim, InclusionClaim } from './merkle-verify.js';
export { buildReceipt, receiptBytesMax, receiptIdOf, receiptPayloadType, sealReceipt } from './receipt.js';
export type { BuiltReceipt, SealedReceipt } from './receipt.js';
export { receiptSchemaVersion } from './receipt-payload.js';
export type {
  AcceptedDoubt,
  HashHex,
  Instant,
  OpenOrHashed,
  ReceiptAttestation,
  ReceiptBoundary,
  ReceiptCandidate,
  ReceiptControl,
  ReceiptIdentifier,
  ReceiptInput,
  ReceiptMethod,
  ReceiptPayload,
  ReceiptQuestion,
  ReceiptSource,
  ReceiptTraversal,
  ReceiptVerdict,
  RecordAtVersion,
  SourceTraversal,
} from './receipt-payload.js';
export { saltedHash } from './salted-hash.js';
export { generateSigningKey, keyidOf, loadSigningKey, signingKeyPem } from './signing-key.js';
export type { SigningKey } from './signing-key.js';
export { verifyEnvelope } from './verify.js';
export type { Verification, VerificationFailure } from './verify.js';
