/**
 * The register: the declared search boundary of one business question, as parsed from its YAML file and
 * checked by docs/schemas/register.schema.json. Plain data; every duration is in milliseconds.
 */
import type { ReasonCode } from './catalogue.js';

export type IdentifierKind = 'scope' | 'key' | 'hint';
export type Provenance = 'person' | 'system' | 'model';
/** Normalisers without a parameter; docs/reference/matching.md says what each does. */
export type PlainNormaliser =
  | 'nfkc'
  | 'case-fold'
  | 'trim'
  | 'strip-separators'
  | 'digits-only'
  | 'strip-leading-zeros'
  | 'number'
  | 'email'
  | 'email-base'
  | 'confusables';
/** `zone`: an IANA time zone. `countryCode`: of the numbers that are written without one, such as '49'. */
export type Normaliser =
  PlainNormaliser | { readonly phone: { readonly countryCode: string } } | { readonly date: { readonly zone: string } };
export type NormaliserName = PlainNormaliser | 'phone' | 'date';
/** `lookup`: never decides and adds nothing; it is read only to validate an identifier. */
export type SourceRole = 'deciding' | 'candidates' | 'lookup';
export type ReadMethod = 'exact-lookup' | 'enumeration' | 'approximate';
export type Authority = 'original' | 'copy';
export type Moves = 'none' | 'one-way' | 'both-ways';
export type AuthorisationPolicy = 'auto' | 'manual' | 'four-eyes';
/** From strongest to weakest. An upper bound stops inserts only, so that alone it leaves `drift-possible`. */
export type DriftProof = 'single-response' | 'snapshot' | 'keyset' | 'documented' | 'overlap' | 'second-pass' | 'upper-bound' | 'none';
/** Which rows the source's access rules leave out, and when; from strongest to weakest. */
export type Visibility = 'all-or-nothing' | 'filtered-before-limit' | 'targets-dropped' | 'filtered-after-limit' | 'unknown';

/** Who answers for a statement, and until which ISO time. */
export interface Attestation {
  readonly by: string;
  readonly until: string;
}

/** What can make an answer less than whole without any trace in it. Not attested, or no longer, it is its reason as a doubt. */
export interface Hazard {
  readonly name: string;
  readonly reason: ReasonCode;
  readonly attestation: Attestation | null;
}

/** One identifier. A key decides, a scope only narrows, a hint only orders candidates (docs/ARCHITECTURE.md, Comparing). */
export interface IdentifierRule {
  readonly kind: IdentifierKind;
  /** Applied in order to both sides before they are compared. */
  readonly normalise: readonly Normaliser[];
  /** Applied in order to the normal form, which it makes lossier: rows that agree only in what comes of it are `near`. */
  readonly near?: readonly Normaliser[];
  /** Regular expression (JavaScript, `u` flag, anchored by us) that a question's value must satisfy. */
  readonly format?: string;
  /** A row without this key differs instead of being ambiguous. Stands on every receipt. */
  readonly whenMissing?: { readonly result: 'differs'; readonly owner: string; readonly reason: string };
  /** Source of role `lookup` that has to confirm that the account or instance exists; else `identity-unvalidated`. */
  readonly lookup?: string;
  /** True: receipts carry a salted hash of the value instead of the value. */
  readonly personal?: boolean;
  /** True: a question may leave it out (never for a key). */
  readonly optional?: boolean;
}

export interface StatusRules {
  /** Statuses of matching rows that do not stand against a creation; listed on the receipt. Every unlisted status blocks. */
  readonly reusable: readonly string[];
  /** Statuses that mean "merged into another record": the connector gives that record's id and it is read instead. */
  readonly follow: readonly string[];
}

/** One source of a register. `contract` and `connector` are the connector's business; the core reads what stands here. */
export interface SourceRule {
  readonly name: string;
  readonly role: SourceRole;
  readonly method: ReadMethod;
  readonly authority: Authority;
  /** Of a copy: the source of this register whose records it shows, under the same ids and versions. */
  readonly copyOf?: string;
  /** Greatest time by which this source can lag behind the truth, in ms; null when no bound is known. */
  readonly lagMaxMs: number | null;
  /** The newest part that the source leaves out on purpose, in ms: the boundary lies that much earlier. */
  readonly recentExcludedMs: number;
  readonly drift: DriftProof;
  /**
   * What keeps every record in its place, which a second pass and an overlap need: an order by the id, that the connector checks, or an
   * attestation that the order is on what never changes and no filter on what can. Absent: records may jump.
   */
  readonly orderKept?: 'by-id' | Attestation;
  /** Sources compare filters more strictly than the policy, or in an unknown way: `predicate-narrower`. */
  readonly predicate: 'wider' | 'same' | 'narrower' | 'unknown';
  /** Sight of the register's credential, attested until this ISO time. */
  readonly attestation?: Attestation;
  readonly visibility: Visibility;
  /** Those that nothing which is sent takes away. */
  readonly hazards: readonly Hazard[];
  /** What the contract itself leaves open and no other field says, computed from it: no answer of the source closes these. */
  readonly contractDoubts: readonly ReasonCode[];
  /** A key's path may be absent in a row without doubt. */
  readonly optionalFields: readonly string[];
}

export interface AcceptedDoubt {
  readonly source: string;
  readonly doubt: 'drift-possible';
  readonly owner: string;
  readonly reason: string;
  /** ISO time after which it no longer counts. */
  readonly until: string;
}

/** A record known to exist: a search for these identifiers has to find it. */
export interface ControlRecord {
  readonly source: string;
  readonly recordId: string;
  readonly identifiers: Readonly<Record<string, string>>;
}

/** Null: it lasts. */
export interface KnownGap {
  readonly source: string;
  readonly from: string;
  readonly to: string | null;
  readonly owner: string;
  readonly reason: string;
}

/** write-guard's own table: slot and record are one transaction. */
export interface OwnTableTarget {
  readonly name: string;
  readonly kind: 'own-table';
  readonly policyId: string;
}

/**
 * A system that is not ours. `own-writes-only`: nothing there keeps two records of one key apart. `sendHorizonMs`: how long after a send its
 * record may still come into being and be shown.
 */
export interface OutsideTarget {
  readonly name: string;
  readonly kind: 'outside';
  readonly policyId: string;
  readonly protection: 'own-writes-only';
  readonly sendHorizonMs: number;
}

export type WriteTarget = OwnTableTarget | OutsideTarget;

export interface Budget {
  readonly pagesMax: number;
  readonly recordsMax: number;
  readonly bytesMax: number;
  readonly elapsedMsMax: number;
}

export interface Register {
  readonly name: string;
  readonly version: string;
  /** Lower-case hex SHA-256 of the register's canonical JSON. */
  readonly hash: string;
  readonly identifiers: Readonly<Record<string, IdentifierRule>>;
  /** In reading order, which follows the move. */
  readonly sources: readonly SourceRule[];
  readonly status: StatusRules;
  /** `leastBetweenMovesMs`: both ways only. */
  readonly moves: { readonly kind: Moves; readonly leastBetweenMovesMs?: number };
  /** Records that are known to be missing from a source, until another version of the register no longer says so. */
  readonly knownGaps?: readonly KnownGap[];
  /** `ageMaxMs`: how long a check is trusted. */
  readonly controls?: { readonly ageMaxMs: number; readonly records: readonly ControlRecord[] };
  readonly toleranceMs: number;
  readonly clockSkewMaxMs: number;
  readonly freshnessMs: number;
  readonly acceptedDoubts: readonly AcceptedDoubt[];
  readonly owner: { readonly name: string; readonly contact: string };
  readonly policy: AuthorisationPolicy;
  /** How long a person may take to decide, and how many writes the target gets in an hour; null: no limit. */
  readonly authorisation?: { readonly livesMs: number; readonly perHourMax: number | null };
  readonly target: WriteTarget | null;
  readonly budget: Budget;
  readonly attempts: { readonly attemptsMax: number; readonly elapsedMsMax: number };
  readonly holds: { readonly autoReruns: number; readonly autoRerunDelayMs: number };
}
