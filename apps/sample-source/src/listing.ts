import type pg from 'pg';
import type { ListQuery } from './list-query.js';
import { writeCursor } from './list-query.js';

/** A service request as the source shows it. */
export interface RequestItem {
  id: string;
  version: number;
  account: string;
  reference: string;
  instance: string;
  status: string;
  merged_into: string | null;
  opened_on: string;
  title: string;
}

/** One page of a listing. */
export interface Listing {
  items: RequestItem[];
  total: number;
  hasMore: boolean;
  /** A page number, an offset or a cursor; null at the end. */
  next: number | string | null;
}

const ITEM = `id, version, account, reference, instance, status, merged_into, to_char(opened_on, 'YYYY-MM-DD') as opened_on, title`;

/** One row more than asked for tells whether more follow. Total and rows are of one moment: one statement. */
const listSql = (where: string, skipped: string) => `
with page as (select ${ITEM} from sample.service_request where ${where} order by id ${skipped})
select (select count(*)::int from sample.service_request where $1::text is null or account = $1) as total,
  coalesce((select json_agg(page order by id) from page), '[]') as items`;
const OF_ACCOUNT = '($1::text is null or account = $1)';
const SKIPPING_SQL = listSql(OF_ACCOUNT, 'limit $2 offset $3');
const KEYSET_SQL = listSql(`${OF_ACCOUNT} and id > $3`, 'limit $2');

export async function readListing(pool: pg.Pool, query: ListQuery): Promise<Listing> {
  const { account, limit } = query;
  const [sql, from] = query.mode === 'cursor' ? [KEYSET_SQL, query.position.after] : [SKIPPING_SQL, skippedRows(query)];
  const { rows } = await pool.query<{ total: number; items: RequestItem[] }>(sql, [account, limit + 1, from]);
  const { total, items } = rows[0] as { total: number; items: RequestItem[] };
  const hasMore = items.length > limit;
  const page = items.slice(0, limit);
  return { items: page, total, hasMore, next: hasMore ? positionAfter(query, page) : null };
}

/** Rows of the listing before this page. */
export function seenRows(query: ListQuery): number {
  return query.mode === 'cursor' ? query.position.seenRows : skippedRows(query);
}

/** The continuation after these rows of the page. Without rows a cursor stays where it is, on the next page. */
export function positionAfter(query: ListQuery, items: readonly RequestItem[]): number | string {
  if (query.mode === 'page') return query.page + 1;
  if (query.mode === 'offset') return query.offset + query.limit;
  const { account, page, after, seenRows: seen, second } = query.position;
  const next = { after: items[items.length - 1]?.id ?? after, seenRows: seen + items.length };
  return writeCursor({ account, page: page + 1, ...next, second: page === 1 ? null : (second ?? { after, seenRows: seen }) });
}

export function listingBody(query: ListQuery, { items, total, hasMore, next }: Listing): Record<string, unknown> {
  const names = { page: 'next_page', offset: 'next_offset', cursor: 'next_cursor' };
  return { items, total, ...(query.mode === 'page' && { page: query.page }), [names[query.mode]]: next, has_more: hasMore };
}

export async function readRecord(pool: pg.Pool, id: string): Promise<RequestItem | undefined> {
  return (await pool.query<RequestItem>(`select ${ITEM} from sample.service_request where id = $1`, [id])).rows[0];
}

/** The approximate index: it finds a reference only by its beginning as it is written. */
export async function search(pool: pg.Pool, wanted: { q: string; account: string | null; limit: number }): Promise<RequestItem[]> {
  const sql = `select ${ITEM} from sample.service_request where starts_with(reference, $2) and ${OF_ACCOUNT} order by id limit $3`;
  return (await pool.query<RequestItem>(sql, [wanted.account, wanted.q, wanted.limit])).rows;
}

function skippedRows(query: ListQuery): number {
  return query.mode === 'offset' ? query.offset : (query.page - 1) * query.limit;
}
