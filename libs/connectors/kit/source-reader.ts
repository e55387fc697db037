/**
 * The port through which one attempt reads one source.
 * 1. `open` before the first `read`, `close` after the last, each once; a reader serves one attempt.
 * 2. Nothing is thrown for what a source does: every answer is a page or a failure with a reason of the catalogue.
 * 3. A cursor is the source's own continuation value; outside the reader only its fingerprint is written down.
 */
import type { PageObservation, ReadMethod, ReasonCode, SourceRow } from '@lacuna/evidence';

/** Recorded with a page, never an input of the verdict. */
export type Remarks = Readonly<Record<string, string | number | boolean>>;

export interface ReadFailure {
  readonly type: 'failure';
  readonly reason: ReasonCode;
  /** HTTP status; null where there was none. */
  readonly status: number | null;
  /** How long the source asked us to wait; null when it did not. */
  readonly retryAfterMs: number | null;
  /** For a person; holds no secret, no text of a record and no address. */
  readonly detail: string;
}

export interface PageResponse {
  readonly type: 'page';
  readonly rows: readonly SourceRow[];
  /** What the walk is told; ids, repetitions, matches and time are added by the attempt. */
  readonly observed: Pick<PageObservation, 'bytes' | 'end' | 'total' | 'snapshot' | 'reasons'>;
  /** The real value with which the next page is asked for; null: there is none. */
  readonly next: { readonly cursor: string; readonly fingerprint: string } | null;
  readonly requestFingerprint: string;
  readonly cursorFingerprint: string | null;
  readonly bodySha256: string;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly status: number | null;
  readonly remarks: Remarks | null;
  /** Moment up to which the source calls the answer true; absent where it says nothing. */
  readonly watermark?: string;
}

export type ReadOutcome = PageResponse | ReadFailure;

export interface ReadRequest {
  /** As given by the page before; null: the first page. */
  readonly cursor: string | null;
  readonly pass: 1 | 2;
  /** Body bytes above this end the read as `budget-bytes`. */
  readonly bytesMax: number;
  readonly signal: AbortSignal;
}

/** The record with that id, `absent`, or why it could not be read. */
export type RecordOutcome = { readonly type: 'record'; readonly row: SourceRow } | { readonly type: 'absent' } | ReadFailure;

export interface Opened {
  readonly type: 'opened';
  /** How it will be read: an exact lookup without its indexes is an enumeration. */
  readonly method: ReadMethod;
}

export interface SourceReader {
  open(signal: AbortSignal): Promise<Opened | ReadFailure>;
  read(request: ReadRequest): Promise<ReadOutcome>;
  /** Absent: the source cannot be asked for one record. */
  readById?(recordId: string, signal: AbortSignal): Promise<RecordOutcome>;
  close(): Promise<void>;
}
