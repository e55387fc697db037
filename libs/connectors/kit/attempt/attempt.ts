import type { AskedIdentifier, Budget, Exclusion, PageRow, ReasonCode, StartedFacts } from '@lacuna/evidence';
import type { Clock } from '../inputs.js';
import type { DocumentSource, RegisterDocument } from '../register/register-document.js';
import type { Remarks, SourceReader } from '../source-reader.js';

/** One response of an attempt: all of `page.read` but the names of question, generation and attempt, and the hash chain. */
export interface AttemptPage {
  readonly source: string;
  /** From 0, without gaps, over both passes. */
  readonly sequence: number;
  readonly pass: 1 | 2;
  readonly requestFingerprint: string;
  readonly cursorFingerprint: string | null;
  readonly nextCursorFingerprint: string | null;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly status: number | null;
  readonly records: number;
  readonly bytes: number;
  readonly rowsWithoutKey: number;
  readonly end: 'signalled' | 'continues' | 'unclear';
  readonly stop: ReasonCode | null;
  readonly doubts: readonly ReasonCode[];
  readonly bodySha256: string;
  readonly idsDigest: string;
  /** Rows that match or are ambiguous, at most 1,000 and 256 KiB; more carry the doubt `truncated`. */
  readonly rows: readonly PageRow[];
  readonly remarks: Remarks | null;
  /** Only where the contract names one. */
  readonly watermark?: string;
}

export interface AttemptInput {
  readonly register: RegisterDocument;
  readonly source: DocumentSource;
  readonly kind: StartedFacts['kind'];
  readonly identifiers: readonly AskedIdentifier[];
  /** Reviewed as different records: still reported in `rows`, but no reason to stop. */
  readonly exclusions: readonly Exclusion[];
  readonly reader: SourceReader;
  readonly limits: Budget;
  readonly clock: Clock;
  /** Called with each page, and awaited before the next is asked for. What it throws ends the attempt and is thrown on. */
  readonly onPage: (page: AttemptPage) => Promise<void>;
  /** Ends the attempt as `budget-time`. */
  readonly signal: AbortSignal;
}

export interface AttemptOutcome {
  readonly stopReason: ReasonCode;
  readonly doubts: readonly ReasonCode[];
  readonly pages: number;
  readonly records: number;
  readonly bytes: number;
  /** Start of the first request; null when nothing was asked. */
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  /** A page had a row that matches and is not excluded. */
  readonly matched: boolean;
  /** How long the source asked to be left alone, ms; null when it did not. */
  readonly retryAfterMs: number | null;
  /** For a person, when the attempt ended by a failure. */
  readonly detail: string | null;
}
