/**
 * What the walk is told about each response (by a connector), and what it asks for next. The connector has
 * read the body by the source's contract; the walk decides only whether and why to go on.
 */
import type { ReasonCode } from './catalogue.js';
import type { OwnWrite } from './facts.js';

/** One record as the connector mapped it. `undefined`: the path is absent in the row; null or '': empty. */
export interface SourceRow {
  readonly recordId: string;
  readonly version: string | null;
  readonly values: Readonly<Record<string, string | null | undefined>>;
  readonly status: string | null;
  readonly followedTo: string | null;
  /** See `PageRow`. */
  readonly ownWrite?: OwnWrite;
}

/** One readable response. Cursors are fingerprints (hex SHA-256); the connector keeps the real ones. */
export interface PageObservation {
  readonly type: 'page';
  readonly records: number;
  readonly bytes: number;
  /** Time since the observation before it (the walk's start for the first), waits included, by a monotonic clock. */
  readonly elapsedMs: number;
  /** The contract's end signal; `unclear`: its signals contradict one another or are absent. */
  readonly end: 'signalled' | 'continues' | 'unclear';
  readonly nextCursor: string | null;
  /** Hex SHA-256 over the ids of this page, in order. */
  readonly idsDigest: string;
  /** Records of this page whose id an earlier page of this pass already had. */
  readonly repeatedIds: number;
  readonly total: { readonly value: number; readonly relation: 'exact' | 'estimate' | 'lower-bound' } | null;
  /** Version or snapshot id of the whole read; null when the source gives none. */
  readonly snapshot: string | null;
  /** The page has a row that stands against the next step: it matches, is not excluded, and its status blocks. */
  readonly matched: boolean;
  /** Reasons the connector found in this response: doubts, and stops such as error-in-success or cap-reached. */
  readonly reasons: readonly ReasonCode[];
}

/** No readable response: the reason says why (timed-out, source-unavailable, source-forbidden, rate-limited, cursor-expired, ...). */
export interface FailureObservation {
  readonly type: 'failure';
  readonly reason: ReasonCode;
  readonly elapsedMs: number;
}

export type Observation = PageObservation | FailureObservation;

/** Ask for the page behind this cursor (null: the first page of the given pass), or stop. */
export type Effect =
  | { readonly type: 'request'; readonly cursor: string | null; readonly pass: 1 | 2 }
  | { readonly type: 'end'; readonly stop: ReasonCode; readonly doubts: readonly ReasonCode[] };
