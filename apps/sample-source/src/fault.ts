/**
 * What can go wrong at this source, and where.
 *
 * Instead of an answer: `delay` (answers late), `no-answer` (never), `status` (a problem with that status), `login-page` (200 and HTML),
 * `half-json` (half of the answer, in a well-formed response), `truncated-body` (half of it, then the connection is reset), `reset` (the
 * connection is reset before anything is sent).
 *
 * In a listing: `repeat-cursor` (this page's own continuation again, for ever), `cursor-cycle` (from page 3 on, back to page 2: A-B-A),
 * `empty-page` (no rows, though pages follow; a cursor loses nothing by it, page numbers and offsets lose these rows), `total-changed`
 * (from page 2 on, another total than before), `total-wrong` (`by` too many, 7 unless said), `lying-end` (the end is signalled with rows
 * left, and the total agrees), `duplicate-rows` (the first row twice).
 *
 * In the search: `silent-search` (no hits, whatever there is).
 */
export const transportFaults = ['delay', 'no-answer', 'status', 'login-page', 'half-json', 'truncated-body', 'reset'] as const;
export const listingFaults = [
  'repeat-cursor',
  'cursor-cycle',
  'empty-page',
  'total-changed',
  'total-wrong',
  'lying-end',
  'duplicate-rows',
] as const;

export type TransportFaultKind = (typeof transportFaults)[number];
export type ListingFaultKind = (typeof listingFaults)[number];
export type FaultKind = TransportFaultKind | ListingFaultKind | 'silent-search';
export type FaultPath = 'list' | 'record' | 'search';

export interface FaultMatch {
  /** Where: the listing when absent, and the search for `silent-search`. */
  path?: FaultPath;
  account?: string | readonly string[];
  /** What a search asks for. */
  reference?: string;
  /** From 1. Of offsets: the whole pages before, plus 1. */
  page?: number;
}

export interface Fault {
  kind: FaultKind;
  match?: FaultMatch;
  /** At most so often; for ever when absent. */
  times?: number;
  /** So many matching requests are left alone first. */
  skip?: number;
  /** The part of the matching requests that is hit, 0 to 1, drawn from `seed`, account, page and how often that page was asked for. */
  share?: number;
  seed?: number;
  /** With `share`: the draw leaves out how often the page was asked for, so that a page once hit is hit at every attempt. */
  sticky?: boolean;
  delayMs?: number;
  status?: number;
  retryAfterSeconds?: number;
  by?: number;
}

/** One request, as faults see it. */
export interface FaultTarget {
  path: FaultPath;
  account: string | null;
  reference: string | null;
  page: number;
}

export interface AppliedFault extends FaultTarget {
  kind: FaultKind;
  at: string;
}
