/** What a page says of the rest: every declared end signal is read, and they must agree. */
import type { ReasonCode } from '@lacuna/evidence';
import type { EndSignal, HttpConnect, HttpPaging, NoCursor } from '../register/connect.js';
import { bodyAt, type Json } from './exact-json.js';

/** Where a pass stands before a page. */
export interface Position {
  /** Carried by the page's request; null: the first page. */
  readonly cursor: string | null;
  readonly recordsBefore: number;
  /** The first total of the walk, over both passes. */
  readonly totalBefore: number | null;
}

export interface PageFactsRead {
  readonly body: Json;
  readonly connect: HttpConnect;
  readonly position: Position;
  readonly records: number;
  readonly total: number | null;
}

export interface Continuation {
  readonly end: 'signalled' | 'continues' | 'unclear';
  readonly nextCursor: string | null;
  readonly reasons: readonly ReasonCode[];
}

type Said = 'ends' | 'continues' | 'unknown';

export const continuationOf = (page: PageFactsRead): Continuation => {
  const { paging, end } = page.connect;
  const cursor = paging.kind === 'cursor' ? cursorOf(page.body, paging) : null;
  const said = end.map((signal) => saidBy(signal, page, cursor));
  if (said.includes('unknown') || cursor?.said === 'unknown') return { end: 'unclear', nextCursor: null, reasons: ['metadata-missing'] };
  const ends = said.includes('ends');
  const contradicted = (ends && said.includes('continues')) || (ends && cursor?.said === 'continues' && isContradiction(paging));
  if (contradicted) return { end: 'unclear', nextCursor: null, reasons: ['end-signals-conflict'] };
  // An offset cannot move over an empty page without a guess, which could skip records.
  if (!ends && paging.kind === 'offset' && page.records === 0)
    return { end: 'unclear', nextCursor: null, reasons: ['end-signals-conflict'] };
  return ends ? { end: 'signalled', nextCursor: null, reasons: [] } : { end: 'continues', nextCursor: nextOf(page, cursor), reasons: [] };
};

const isContradiction = (paging: HttpPaging): boolean => paging.kind === 'cursor' && paging.cursorAtEnd === 'never';

interface CursorRead {
  readonly said: Said;
  readonly text: string | null;
}

const NONE: CursorRead = { said: 'ends', text: null };
const UNKNOWN: CursorRead = { said: 'unknown', text: null };

/** Each value of the next cursor means what the contract says of it; what it does not speak of is unknown. */
const cursorOf = (body: Json, paging: Extract<HttpPaging, { kind: 'cursor' }>): CursorRead => {
  const value = bodyAt(body, paging.next);
  const isNone = (which: NoCursor): boolean => paging.noCursor.includes(which);
  if (value === undefined) return isNone('absent') ? NONE : UNKNOWN;
  if (value === null) return isNone('null') ? NONE : UNKNOWN;
  if (value === '' && isNone('empty')) return NONE;
  return typeof value === 'string' || typeof value === 'number' ? { said: 'continues', text: String(value) } : UNKNOWN;
};

const saidBy = (signal: EndSignal, page: PageFactsRead, cursor: CursorRead | null): Said => {
  const { paging } = page.connect;
  switch (signal.by) {
    case 'no-next-cursor':
      return cursor?.said ?? 'unknown';
    case 'flag':
      return flagSaid(signal, bodyAt(page.body, signal.path));
    case 'total':
      if (page.total === null) return 'unknown';
      return page.position.recordsBefore + page.records >= page.total ? 'ends' : 'continues';
    case 'single-answer':
      return 'ends';
    case 'short-page':
      if (paging.kind === 'none' || paging.pageSize === undefined) return 'unknown';
      return page.records < shortBelow(page.connect, paging.pageSize.size) ? 'ends' : 'continues';
    case 'empty-page':
      return page.records === 0 ? 'ends' : 'continues';
    default:
      return 'unknown';
  }
};

/** A source that allows fewer records than asked for makes every page short: alone, only an empty one is believed. */
const shortBelow = ({ end }: HttpConnect, size: number): number => (end.every(({ by }) => by === 'short-page') ? 1 : size);

const flagSaid = (signal: Extract<EndSignal, { by: 'flag' }>, value: Json | undefined): Said => {
  const isAmong = (values: readonly (boolean | string | number | null)[]): boolean => values.some((each) => each === value);
  return isAmong(signal.ends) ? 'ends' : isAmong(signal.continues) ? 'continues' : 'unknown';
};

/**
 * Page numbers and offsets are ours to count; a cursor that is missing here leaves the walk without a way to go on. After a short page an
 * offset moves by what came: a source that allows fewer records than asked for then repeats some, and never skips any.
 */
const nextOf = ({ connect: { paging }, position, records }: PageFactsRead, cursor: CursorRead | null): string | null => {
  if (paging.kind === 'none') return null;
  if (paging.kind === 'cursor' || paging.kind === 'url') return cursor?.text ?? null;
  const current = position.cursor === null ? paging.first : Number(position.cursor);
  return String(current + (paging.kind === 'page' ? 1 : Math.min(records, paging.pageSize.size)));
};
