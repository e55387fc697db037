import { JsonObject } from './canonical-json.js';

/** What a receipt says, in five field groups. `leafIndex` is not part of it: it stands beside the envelope. */
export interface ReceiptPayload {
  readonly schemaVersion: typeof receiptSchemaVersion;
  /** `rcp_` and the first 32 hex digits of SHA-256 of the RFC 8785 array [tenantId, questionId, generation]. */
  readonly receiptId: string;
  readonly question: ReceiptQuestion;
  readonly method: ReceiptMethod;
  readonly boundary: ReceiptBoundary;
  readonly traversal: ReceiptTraversal;
  readonly verdict: ReceiptVerdict;
}

export const receiptSchemaVersion = 'lacuna.receipt/v1';

/** RFC 3339 in UTC, as Date.prototype.toISOString writes it. */
export type Instant = string;

/** SHA-256 (of a personal value: `saltedHash`) as 64 lower-case hex digits. */
export type HashHex = string;

/** A value in the open, or a personal one by its salted hash: exactly one of the two. */
export type OpenOrHashed = { readonly value: string; readonly valueHash?: never } | { readonly valueHash: HashHex; readonly value?: never };

export interface ReceiptQuestion {
  readonly tenantId: string;
  readonly questionId: string;
  readonly generation: number;
  readonly kind: 'exists' | 'gone' | 'enumerate';
  readonly registerId: string;
  readonly registerHash: HashHex;
  readonly identifiers: readonly ReceiptIdentifier[];
  readonly principal: OpenOrHashed;
  /** The payload itself may hold personal fields, so only its hash stands here; null when the intent has none. */
  readonly intent: { readonly action: 'none' | 'create' | 'link' | 'close' | 'delete'; readonly payloadHash: HashHex | null };
}

export type ReceiptIdentifier = OpenOrHashed & {
  readonly name: string;
  readonly kind: 'scope' | 'key' | 'hint';
  readonly provenance: 'person' | 'system' | 'model';
};

export interface ReceiptMethod {
  readonly sources: readonly ReceiptSource[];
  /** The register's normalisers, status rules, moves and `whenMissing` rules, as the register has them. */
  readonly policy: JsonObject;
  /** How the write target holds one record per key, when its own constraint does not; null otherwise. */
  readonly protection: 'own-writes-only' | null;
  /** Records that a reviewer called different, at one version or one digest of the compared fields. */
  readonly exclusions: readonly (RecordAtVersion & { readonly fieldsDigest: HashHex | null; readonly reviewId?: string })[];
}

export interface ReceiptSource {
  readonly source: string;
  readonly role: 'deciding' | 'candidates' | 'lookup';
  readonly authority: 'original' | 'copy';
  readonly method: 'exact-lookup' | 'enumeration' | 'approximate';
  /** What was sent to the source, without values of personal identifiers. */
  readonly filters: JsonObject;
}

export interface ReceiptBoundary {
  /** The oldest boundary over the deciding sources; null when one of them has none. */
  readonly asOf: Instant | null;
  readonly needsAsOf: Instant;
  readonly decidedAt: Instant;
  readonly perSource: readonly { readonly source: string; readonly boundary: Instant | null }[];
}

export interface ReceiptTraversal {
  readonly sources: readonly SourceTraversal[];
  readonly rowsWithoutKey: number;
  readonly reusable: readonly (RecordAtVersion & { readonly status: string })[];
  /** Slots of write-guard whose send has an unknown end and which write-guard may free with this receipt. */
  readonly unknownSlots: readonly { readonly writeTarget: string; readonly keyDigest: HashHex }[];
  readonly controls: readonly ReceiptControl[];
  readonly attestations: readonly ReceiptAttestation[];
  readonly acceptedDoubts: readonly AcceptedDoubt[];
}

/** The attempt that counts for one source. */
export interface SourceTraversal {
  readonly source: string;
  /** Null when no attempt began. */
  readonly attemptId: string | null;
  readonly pages: number;
  readonly records: number;
  readonly bytes: number;
  /** Codes of the closed catalogue; only `end-signalled` is an end. */
  readonly stopReason: string;
  readonly doubts: readonly string[];
  /** Null when no page was read. */
  readonly lastPageHash: HashHex | null;
  /** What the source itself reported; absent when it reported none. Never computed here. */
  readonly total?: { readonly count: number; readonly relation: 'equal' | 'at-least' };
}

export interface ReceiptControl {
  readonly source: string;
  readonly controlId: string;
  readonly result: 'found' | 'control-missed' | 'control-stale';
  readonly checkedAt: Instant;
}

export interface ReceiptAttestation {
  readonly source: string;
  /** What is attested, for example full sight of the credential, or that the source is empty. */
  readonly claim: string;
  readonly owner: string;
  /** Absent where the register does not say. */
  readonly attestedAt?: Instant;
  readonly expiresAt: Instant;
}

/** A doubt that the register accepts by name; `source` null means every source. */
export interface AcceptedDoubt {
  readonly code: string;
  readonly source: string | null;
  readonly owner: string;
  readonly reason: string;
  readonly expiresAt: Instant;
}

export interface ReceiptVerdict {
  readonly verdict: 'match-review' | 'scoped-no-match' | 'evidence-hold';
  readonly partial: boolean;
  readonly coverage: 'complete' | 'timed_out' | 'range_too_wide' | 'recent_unavailable' | 'field_unavailable';
  readonly fromClamped: boolean;
  readonly reasons: readonly { readonly code: string; readonly source: string | null }[];
  readonly matches: readonly RecordAtVersion[];
  readonly candidates: readonly ReceiptCandidate[];
  /** Rows (and exclusions: absent is 0) that were left out above to keep the receipt small; 0 when all are listed. */
  readonly unlisted: { readonly matches: number; readonly candidates: number; readonly reusable: number; readonly exclusions?: number };
  /** Only of an `enumerate` question after a complete read (V3); absent otherwise. */
  readonly count?: number;
  readonly owner: string | null;
  readonly statement: string;
}

export interface ReceiptCandidate extends RecordAtVersion {
  /** Per identifier, where the rows could be compared. */
  readonly comparison?: Readonly<Record<string, 'agree' | 'near' | 'differ' | 'missing'>>;
}

export interface RecordAtVersion {
  readonly source: string;
  readonly recordId: string;
  /** Null when the source has no versions. */
  readonly version: string | null;
}

/** All that a caller gives; `schemaVersion` and `receiptId` follow from it. */
export type ReceiptInput = Omit<ReceiptPayload, 'schemaVersion' | 'receiptId'>;
