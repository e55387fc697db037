/**
 * What the core is told: structural types of the three search events of one generation, and of the rows
 * and pages in them. The event classes of libs/events satisfy these shapes; neither knows the other.
 * Times are ISO 8601 in UTC with milliseconds. Reason codes are text here, as logged: a code that the catalogue does not list holds.
 */
import type { Budget, Provenance } from './register.js';

/** How one identifier of one row compares with the question's. `unavailable`: its path is absent from the row. */
export type Comparison = 'agree' | 'near' | 'differ' | 'missing' | 'unavailable';

export interface AskedIdentifier {
  readonly name: string;
  readonly value: string;
  readonly provenance: Provenance;
  /** Result of a declared lookup that the account or instance exists; null: none declared. */
  readonly lookup: 'found' | 'not-found' | 'unavailable' | null;
}

export interface Exclusion {
  readonly source: string;
  readonly recordId: string;
  /** The version that was reviewed, or null when the source gives none: then `digest` decides. */
  readonly version: string | null;
  /** Hex SHA-256 of the compared fields. */
  readonly digest: string;
}

export interface StartedFacts {
  readonly questionId: string;
  readonly generation: number;
  readonly registerHash: string;
  readonly kind: 'exists' | 'gone' | 'enumerate';
  readonly identifiers: readonly AskedIdentifier[];
  readonly needsAsOf: string;
  readonly budget: Budget;
  readonly sources: readonly string[];
  readonly exclusions: readonly Exclusion[];
  readonly knownGaps: readonly { readonly source: string; readonly from: string; readonly to: string | null }[];
  readonly controls: readonly { readonly source: string; readonly result: 'found' | 'missed' | 'stale'; readonly checkedAt: string }[];
  readonly attestations: readonly { readonly source: string; readonly by: string; readonly until: string }[];
}

/**
 * A row that matches or is ambiguous, or that a matching row of this source was followed to (whatever its own comparison).
 * Rows of `own-writes` are slots: own-writes.ts says what their fields mean.
 */
export interface PageRow {
  readonly recordId: string;
  readonly version: string | null;
  readonly digest: string;
  readonly results: Readonly<Record<string, Comparison>>;
  readonly status: string | null;
  /** For a merged record: the id that it was followed to, which then stands among the rows of this source; null when not followed. */
  readonly followedTo: string | null;
  /** Of `own-writes` at an outside target: our write of this key, and the moment that evidence must be later than to speak of it. */
  readonly ownWrite?: OwnWrite;
}

/** `known`: the system confirmed the record. `unknown`: it was sent, and nobody knows what came of it. */
export interface OwnWrite {
  readonly outcome: 'known' | 'unknown';
  readonly clearAt: string;
}

export interface PageFacts {
  readonly source: string;
  readonly attemptId: string;
  readonly sequence: number;
  readonly pass: 1 | 2;
  readonly previousHash: string;
  readonly hash: string;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly records: number;
  readonly bytes: number;
  readonly rowsWithoutKey: number;
  readonly end: 'signalled' | 'continues' | 'unclear';
  /** Why the walk stopped at this page; null while it goes on. */
  readonly stop: string | null;
  readonly doubts: readonly string[];
  readonly idsDigest: string;
  readonly rows: readonly PageRow[];
  /** Moment up to which the source calls the answer true, by its own clock; absent where its contract names none. */
  readonly watermark?: string | null;
}

export interface EndedSource {
  readonly source: string;
  readonly attemptId: string | null;
  readonly pages: number;
  readonly lastHash: string | null;
  readonly stopReason: string;
  readonly doubts: readonly string[];
  /** Start of the attempt's first request by our clock; null when nothing was asked. */
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly attempts: number;
  /**
   * Pages that were published for this source over all its attempts, as far as the runner knows. Needed once there was more than one
   * attempt: without it the loss of a page of another attempt could not be seen, and that page may hold the match.
   */
  readonly pagesOfAllAttempts?: number | null;
}

export interface EndedFacts {
  readonly sources: readonly EndedSource[];
}
