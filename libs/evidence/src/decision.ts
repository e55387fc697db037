/** What a verdict says of one generation: plain data, the same bytes for the same input. */
import type { Coverage, ReasonCode, ReasonOwner } from './catalogue.js';
import type { EndedFacts, PageFacts, StartedFacts } from './facts.js';
import type { SourceRole } from './register.js';

export type Verdict = 'match-review' | 'scoped-no-match' | 'evidence-hold';

/** Lists of records in a decision are cut here; `listsTruncated` says so, and the verdict does not depend on it. */
export const LISTED_MAX = 1_000;

/** All that one generation's events say. `foldGeneration` makes it. */
export interface Evidence {
  readonly started: StartedFacts | null;
  readonly pages: readonly PageFacts[];
  readonly ended: EndedFacts | null;
  /** Every event is there once, in order, and every page's hash and predecessor are right. */
  readonly chainIntact: boolean;
}

export interface DecisionReason {
  readonly code: ReasonCode;
  /** Null: it concerns the whole question. */
  readonly source: string | null;
}

export interface NamedRecord {
  readonly source: string;
  readonly recordId: string;
  readonly version: string | null;
  readonly digest: string;
  readonly status: string | null;
}

export type Finding = 'match' | 'ambiguous' | 'no-match' | 'no-match-in-part' | 'unavailable';

export interface SourceFinding {
  readonly source: string;
  readonly role: SourceRole;
  readonly finding: Finding;
  readonly stop: ReasonCode;
  /** Doubts that hold, of a deciding source; of a candidates source they are only shown. */
  readonly doubts: readonly ReasonCode[];
  /** Doubts that the register accepts by name, today. */
  readonly accepted: readonly ReasonCode[];
  readonly attemptId: string | null;
  readonly pages: number;
  /** The moment up to which it was seen; null when not known. */
  readonly boundary: string | null;
}

export interface Decision {
  readonly verdict: Verdict;
  /**
   * Of a hold: why. Of a match: `match-found` per source that shows one, then what else stayed open. Of a no-match: `end-signalled` per
   * deciding source.
   */
  readonly reasons: readonly DecisionReason[];
  readonly accepted: readonly DecisionReason[];
  readonly matches: readonly NamedRecord[];
  readonly candidates: readonly NamedRecord[];
  readonly reusable: readonly NamedRecord[];
  readonly excluded: readonly NamedRecord[];
  readonly listsTruncated: boolean;
  /** How many records each list would hold uncut. */
  readonly found: { readonly matches: number; readonly candidates: number; readonly reusable: number; readonly excluded: number };
  /** Rows without any key, in the attempts that count. */
  readonly rowsWithoutKey: number;
  readonly asOf: string | null;
  readonly boundaries: readonly { readonly source: string; readonly boundary: string | null }[];
  readonly findings: readonly SourceFinding[];
  readonly partial: boolean;
  readonly coverage: Coverage;
  readonly fromClamped: boolean;
  /** A hold whose every reason heals by waiting. */
  readonly healsByWaiting: boolean;
  readonly owner: { readonly role: ReasonOwner; readonly name: string; readonly contact: string };
  /** Distinct matching records; null unless everything was asked for and read. */
  readonly count: number | null;
  readonly decidedAt: string;
}
