import { BadRequest } from './problem.js';

const PAGE_ROWS_MAX = 500;
const PAGE_ROWS_DEFAULT = 50;
const SKIP_ROWS_MAX = 10_000_000;

/** Where a cursor stands. `second` is where page 2 began: all that a page needs to lead back there. */
export interface CursorPosition {
  account: string | null;
  page: number;
  /** The last id before this page; empty at the start. */
  after: string;
  seenRows: number;
  second: { after: string; seenRows: number } | null;
}

interface AnyListQuery {
  account: string | null;
  /** From 1. */
  page: number;
  limit: number;
}

export type ListQuery =
  | (AnyListQuery & { mode: 'page' })
  | (AnyListQuery & { mode: 'offset'; offset: number })
  | (AnyListQuery & { mode: 'cursor'; position: CursorPosition });

const KNOWN = ['account', 'page', 'per_page', 'offset', 'limit', 'cursor'];

/** `page` or `per_page`: page numbers, and also when nothing is said; `offset`: offsets; `limit` alone or with `cursor`: cursors. */
export function parseListQuery(parameters: URLSearchParams): ListQuery {
  refuseUnknown(parameters, KNOWN);
  const has = (name: string) => parameters.has(name);
  const account = parameters.get('account');
  const isPaged = has('page') || has('per_page');
  if (isPaged && (has('offset') || has('limit') || has('cursor')))
    throw new BadRequest('page numbers do not go with offset, limit or cursor');
  if (has('offset') && has('cursor')) throw new BadRequest('an offset does not go with a cursor');
  const limit = wholeNumber(parameters, isPaged ? 'per_page' : 'limit', PAGE_ROWS_DEFAULT, 1, PAGE_ROWS_MAX);
  if (has('offset')) {
    const offset = wholeNumber(parameters, 'offset', 0, 0, SKIP_ROWS_MAX);
    return { mode: 'offset', account, limit, offset, page: Math.floor(offset / limit) + 1 };
  }
  if (has('limit') || has('cursor')) {
    const position = has('cursor') ? readCursor(parameters.get('cursor') ?? '', account) : cursorStart(account);
    return { mode: 'cursor', account, limit, position, page: position.page };
  }
  return { mode: 'page', account, limit, page: wholeNumber(parameters, 'page', 1, 1, SKIP_ROWS_MAX / PAGE_ROWS_MAX) };
}

export function refuseUnknown(parameters: URLSearchParams, known: readonly string[]): void {
  for (const name of new Set(parameters.keys())) {
    if (!known.includes(name)) throw new BadRequest(`${name} is unknown: there are ${known.join(', ')}`);
    if (parameters.getAll(name).length > 1) throw new BadRequest(`${name} is given more than once`);
  }
}

export function wholeNumber(parameters: URLSearchParams, name: string, otherwise: number, least: number, most: number): number {
  const text = parameters.get(name);
  if (text === null) return otherwise;
  if (!/^\d{1,9}$/.test(text) || Number(text) < least || Number(text) > most) {
    throw new BadRequest(`${name} must be a whole number from ${least} to ${most}`);
  }
  return Number(text);
}

function cursorStart(account: string | null): CursorPosition {
  return { account, page: 1, after: '', seenRows: 0, second: null };
}

export function writeCursor({ account, page, after, seenRows, second }: CursorPosition): string {
  return Buffer.from(JSON.stringify([account, page, after, seenRows, second && [second.after, second.seenRows]])).toString('base64url');
}

function readCursor(cursor: string, account: string | null): CursorPosition {
  try {
    const [ofAccount, page, after, seenRows, second] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [
      string | null,
      number,
      string,
      number,
      [string, number] | null,
    ];
    const position = { account: ofAccount, page, after, seenRows, second: second && { after: second[0], seenRows: second[1] } };
    if (Number.isInteger(page) && typeof after === 'string' && writeCursor(position) === cursor && ofAccount === account) return position;
  } catch {
    // Refused below, like every cursor that is not ours.
  }
  throw new BadRequest('cursor is none that this listing gave');
}
