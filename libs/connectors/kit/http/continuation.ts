/** What a page says of the rest: every declared end signal is read, and they must agree. */
import type { ReasonCode } from '@lacuna/evidence';
import type { EndSignal, HttpConnect, HttpPaging, NoCursor, PageSize } from '../register/connect.js';
import { type Answer, countOf, isAmong, valueOf } from './answer.js';
import { nextUrlReasons } from './next-url.js';
import { textOf, valueAt, type Json } from './exact-json.js';
import type { TotalRead } from './totals.js';

/** Where a pass stands before a page. */
export interface Position {
  /** JSON of the value that the page's request carried; null: the first page. */
  readonly cursor: string | null;
  /** Of this pass. */
  readonly recordsBefore: number;
  /** What was asked, for a next URL that is relative, or loses a part of it. */
  readonly requestUrl: URL;
  readonly firstUrl: URL;
}

export interface PageFactsRead {
  readonly answer: Answer;
  readonly connect: HttpConnect;
  readonly position: Position;
  /** Everything on the page, and how many of it were not read again from the page before. */
  readonly items: readonly Json[];
  readonly records: number;
  readonly total: TotalRead;
}

export interface Continuation {
  readonly end: 'signalled' | 'continues' | 'unclear';
  /** JSON of the value that asks for the next page. */
  readonly nextCursor: string | null;
  readonly reasons: readonly ReasonCode[];
}

type Said = 'ends' | 'continues' | 'unknown';
type FromAnswer = Extract<HttpPaging, { kind: 'cursor' | 'url' }>;

const unclear = (reason: ReasonCode): Continuation => ({ end: 'unclear', nextCursor: null, reasons: [reason] });

/** @throws AnswerUnreadable */
export const continuationOf = (page: PageFactsRead): Continuation => {
  const { paging, end } = page.connect;
  const cursor = paging.kind === 'cursor' || paging.kind === 'url' ? cursorOf(page, paging) : null;
  if (cursor?.said === 'unknown') return unclear('metadata-missing');
  const said = end.filter((signal) => !isLeftOut(signal, page)).map((signal) => saidBy(signal, page, cursor));
  if (said.length === 0 || said.includes('unknown')) return unclear('metadata-missing');
  const ends = said.includes('ends');
  if (ends && (said.includes('continues') || contradicts(page, cursor))) return unclear('end-signals-conflict');
  // Neither can an offset or a page number move over an empty page without a guess, which could skip records.
  if (!ends && (paging.kind === 'offset' || paging.kind === 'page') && page.items.length <= overlapOf(page))
    return unclear('end-signals-conflict');
  if (ends) return { end: 'signalled', nextCursor: null, reasons: [] };
  const reasons = paging.kind === 'url' && cursor?.text ? nextUrlReasons(cursor.text, page.position, paging) : [];
  return { end: 'continues', nextCursor: nextOf(page, cursor), reasons };
};

const isLeftOut = (signal: EndSignal, { answer }: PageFactsRead): boolean =>
  signal.by === 'flag' && signal.optional === true && valueOf(answer, signal.path) === undefined;

/** A cursor beside a signalled end; what is taken from the last row, or comes back unchanged, stands there always. */
const contradicts = ({ connect: { paging, end } }: PageFactsRead, cursor: CursorRead | null): boolean => {
  if (cursor?.said !== 'continues' || (paging.kind !== 'cursor' && paging.kind !== 'url')) return false;
  const standsAlways = isLastRow(paging) || end.some(({ by }) => by === 'unchanged-cursor');
  return paging.cursorAtEnd === 'never' && !standsAlways;
};

const isLastRow = ({ next }: FromAnswer): boolean => typeof next === 'object' && 'lastRow' in next;

interface CursorRead {
  readonly said: Said;
  /** JSON of the value. */
  readonly text: string | null;
}

const NONE: CursorRead = { said: 'ends', text: null };
const UNKNOWN: CursorRead = { said: 'unknown', text: null };

/** Each value of the next cursor means what the contract says of it; what it does not speak of is unknown. */
const cursorOf = (page: PageFactsRead, paging: FromAnswer): CursorRead => {
  const { next, noCursor } = paging;
  const isLast = typeof next === 'object' && 'lastRow' in next;
  const last = page.items.at(-1);
  if (isLast && last === undefined) return NONE;
  const value = isLast && last !== undefined ? valueAt(last, next.lastRow) : valueOf(page.answer, next);
  const isNone = (which: NoCursor): boolean => noCursor.includes(which) && !isLast;
  if (value === undefined) return isNone('absent') ? NONE : UNKNOWN;
  if (value === null) return isNone('null') ? NONE : UNKNOWN;
  if (value === false) return isNone('false') ? NONE : UNKNOWN;
  if (value === '' && isNone('empty')) return NONE;
  return paging.kind === 'url' ? urlCursor(value, page.position) : valueCursor(value, paging);
};

const NOTHING = new Map<Json | undefined, NoCursor>([
  [undefined, 'absent'],
  [null, 'null'],
  [false, 'false'],
  ['', 'empty'],
]);

const noValueSaid = (value: Json | undefined, none: readonly NoCursor[]): Said => {
  const nothing = NOTHING.get(value);
  if (nothing !== undefined) return none.includes(nothing) ? 'ends' : 'unknown';
  return typeof value === 'string' || typeof value === 'number' ? 'continues' : 'unknown';
};

const urlCursor = (value: Json, { requestUrl }: Position): CursorRead => {
  // An empty one would be resolved to the page itself.
  if (typeof value !== 'string' || value.trim() === '' || !URL.canParse(value, requestUrl.href)) return UNKNOWN;
  const url = new URL(value, requestUrl);
  url.hash = '';
  return { said: 'continues', text: JSON.stringify(url.href) };
};

/** A list or an object is a cursor only where a body carries it: sort values of the last row, or the key of a table. */
const valueCursor = (value: Json, { send }: Extract<HttpPaging, { kind: 'cursor' }>): CursorRead => {
  const isText = typeof value === 'string' || typeof value === 'number';
  return isText || (typeof value === 'object' && send.in === 'body') ? { said: 'continues', text: JSON.stringify(value) } : UNKNOWN;
};

const saidBy = (signal: EndSignal, page: PageFactsRead, cursor: CursorRead | null): Said => {
  switch (signal.by) {
    case 'no-next-cursor':
      return cursor?.said ?? 'unknown';
    case 'flag': {
      const value = valueOf(page.answer, signal.path);
      return isAmong(value, signal.ends, signal.path) ? 'ends' : isAmong(value, signal.continues, signal.path) ? 'continues' : 'unknown';
    }
    case 'total':
      return totalSaid(page);
    case 'page-count':
      return pageCountSaid(page, countOf(valueOf(page.answer, signal.path)));
    case 'reached':
      return reachedSaid(valueOf(page.answer, signal.path), valueOf(page.answer, signal.target));
    case 'present':
      return presentSaid(valueOf(page.answer, signal.path));
    case 'no-value':
      return noValueSaid(valueOf(page.answer, signal.path), signal.none);
    case 'unchanged-cursor': {
      const isUnchanged = cursor?.text !== null && cursor?.text === page.position.cursor;
      return isUnchanged && (!signal.whenEmpty || page.records === 0) ? 'ends' : 'continues';
    }
    case 'single-answer':
      return 'ends';
    case 'short-page':
      return shortPageSaid(signal, page);
    case 'empty-page':
      return page.records === 0 ? 'ends' : 'continues';
    default:
      return 'unknown';
  }
};

/** A link is a text, and a member that tells something is no false, no 0 and no empty text: those say neither. */
const presentSaid = (value: Json | undefined): Said => {
  if (value === undefined || value === null) return 'continues';
  return value === '' || value === false || value === 0 ? 'unknown' : 'ends';
};

/** Only an exact total ends a read; a lower bound can say that there is more. */
const totalSaid = ({ total: { count, relation }, position, records }: PageFactsRead): Said => {
  if (count === null || relation === 'estimate') return 'unknown';
  const read = position.recordsBefore + records;
  if (read < count) return 'continues';
  return relation === 'exact' ? 'ends' : 'unknown';
};

/** A page with records that is behind the last one contradicts the number, such as a 0 that was never counted. */
const pageCountSaid = ({ connect: { paging }, position: { cursor }, items }: PageFactsRead, pages: number | null): Said => {
  if (paging.kind !== 'page' || pages === null) return 'unknown';
  const number = (cursor === null ? paging.first : Number(cursor)) - paging.first + 1;
  if (number > pages && items.length > 0) return 'unknown';
  return number >= pages ? 'ends' : 'continues';
};

const reachedSaid = (value: Json | undefined, target: Json | undefined): Said => {
  const [position, end] = [wholeNumber(value), wholeNumber(target)];
  if (position === null || end === null) return 'unknown';
  return position >= end ? 'ends' : 'continues';
};

const wholeNumber = (value: Json | undefined): bigint | null => {
  const read = textOf(value);
  return read !== 'unreadable' && typeof read.text === 'string' && /^-?\d{1,40}$/.test(read.text) ? BigInt(read.text) : null;
};

/**
 * A source that allows fewer records than asked for makes every page short. So a short page is believed alone only where the answer says how
 * many it allowed, or the contract how many the source allows; else only an empty one is.
 */
const shortPageSaid = (signal: Extract<EndSignal, { by: 'short-page' }>, page: PageFactsRead): Said => {
  const size = sizeOf(page);
  if (size === null) return 'unknown';
  const { end } = page.connect;
  const isKnown = signal.pageSizeMax !== undefined || pageSizeOf(page.connect.paging)?.echo !== undefined;
  const isAlone = end.every(({ by }) => by === 'short-page');
  return page.items.length < (isAlone && !isKnown ? overlapOf(page) + 1 : size) ? 'ends' : 'continues';
};

const pageSizeOf = (paging: HttpPaging): PageSize | undefined => (paging.kind === 'none' ? undefined : paging.pageSize);

/** How many records the page could have held; null where that is not known. */
const sizeOf = ({ connect: { paging }, answer }: PageFactsRead): number | null => {
  const pageSize = pageSizeOf(paging);
  if (pageSize === undefined) return null;
  if (pageSize.echo === undefined) return pageSize.size;
  const echoed = countOf(valueOf(answer, pageSize.echo));
  return echoed === null ? null : Math.min(echoed, pageSize.size);
};

/** Records at the start of this page that the page before had too. */
const overlapOf = ({ items, records }: PageFactsRead): number => items.length - records;

/**
 * Page numbers and offsets are ours to count; a cursor that is missing here leaves the walk without a way to go on. After a short page an
 * offset moves by what came: a source that allows fewer records than asked for then repeats some, and never skips any.
 */
const nextOf = ({ connect: { paging }, position: { cursor }, items }: PageFactsRead, read: CursorRead | null): string | null => {
  if (paging.kind === 'none') return null;
  if (paging.kind === 'cursor' || paging.kind === 'url') return read?.text ?? null;
  const current = cursor === null ? paging.first : Number(cursor);
  if (paging.kind === 'page') return String(current + 1);
  return String(current + Math.max(Math.min(items.length, paging.pageSize.size) - paging.overlap, 1));
};
