import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SampleSource } from '../src/index.js';
import { loadSample, startSampleSource } from '../src/index.js';
import type { SampleDatabase } from './sample-database.js';
import { createSampleDatabase } from './sample-database.js';

interface Page {
  items: { id: string }[];
  total: number;
  has_more: boolean;
  next_page?: number | null;
  next_offset?: number | null;
  next_cursor?: string | null;
}
const PAGES_MAX = 200;

describe('the sample source', () => {
  let database: SampleDatabase;
  let source: SampleSource;
  let full: string;
  beforeAll(async () => {
    database = await createSampleDatabase();
    await loadSample(database.url, { rows: 5_000, seed: 4 });
    source = await startSampleSource({ databaseUrl: database.url });
    const [row] = await database.query<{ account: string }>(
      'select account from sample.service_request group by account having count(*) = 500',
    );
    full = row?.account ?? '';
  });
  afterAll(async () => {
    await source.stop();
    await database.drop();
  });

  const get = async (path: string) => (await fetch(`${source.url}${path}`)).json() as Promise<Page>;
  const walk = async (first: string, follow: (page: Page) => string | null) => {
    const pages: Page[] = [];
    for (let path: string | null = first; path !== null && pages.length < PAGES_MAX; path = follow(pages.at(-1) as Page))
      pages.push(await get(path));
    return pages;
  };
  const idsOf = async (account: string | null) => {
    const sql = 'select id from sample.service_request where $1::text is null or account = $1 order by id';
    return (await database.query<{ id: string }>(sql, [account])).map(({ id }) => id);
  };
  const next = (base: string, name: 'page' | 'offset' | 'cursor') => (page: Page) => {
    const to = page[`next_${name}`];
    expect(page.has_more).toBe(to !== null);
    return to === null ? null : `${base}&${name}=${to}`;
  };

  it.each([
    ['page', 'per_page=7'],
    ['page', 'per_page=100'],
    ['page', 'per_page=500'],
    ['offset', 'limit=100'],
    ['cursor', 'limit=7'],
    ['cursor', 'limit=100'],
  ] as const)(
    'gives every row of an account exactly once, in order, by %s with %s; fails when paging skips or repeats',
    async (name, size) => {
      const base = `/requests?account=${full}&${size}`;
      const pages = await walk(name === 'offset' ? `${base}&offset=0` : base, next(base, name));
      expect(pages.flatMap(({ items }) => items.map(({ id }) => id))).toEqual(await idsOf(full));
      expect(new Set(pages.map(({ total }) => total))).toEqual(new Set([500]));
    },
  );

  it('gives the whole table exactly once by cursor; fails when the keyset depends on the account', async () => {
    const base = '/requests?limit=500';
    const pages = await walk(base, next(base, 'cursor'));
    expect(pages.flatMap(({ items }) => items.map(({ id }) => id))).toEqual(await idsOf(null));
  });

  it('shows a row as it is stored; fails when a column is renamed, trimmed or turned into another type', async () => {
    const [row] = await database.query<Record<string, unknown>>(
      `select id, version, account, reference, instance, status, merged_into, opened_on::text, title
       from sample.service_request where merged_into is not null order by id limit 1`,
    );
    expect(await get(`/requests/${row?.id}`)).toEqual(row);
    const { items } = await get(`/requests?account=${row?.account}&per_page=500`);
    expect(items).toContainEqual(row);
  });

  it('answers an account without requests with an empty end; fails when nothing is told from an error', async () => {
    expect(await get('/requests?account=ACC-NONE')).toEqual({ items: [], total: 0, page: 1, next_page: null, has_more: false });
  });

  it('finds by the beginning of a reference as it is written, and nothing by another spelling; fails when the index is exact', async () => {
    const [row] = await database.query<{ id: string; account: string; reference: string }>(
      `select id, account, reference from sample.service_request where reference ~ '^INV-[0-9]{4}-[0-9]{5}$' order by id limit 1`,
    );
    const search = async (q: string) => {
      const { hits } = (await get(`/search?account=${row?.account}&q=${encodeURIComponent(q)}`)) as unknown as { hits: { id: string }[] };
      return hits.map(({ id }) => id);
    };
    expect(await search(row?.reference.slice(0, -1) ?? '')).toContain(row?.id);
    expect(await search(row?.reference.replaceAll('-', ' ') ?? '')).toEqual([]);
  });

  it.each([
    ['/requests?page=0', 400],
    ['/requests?acount=ACC-1', 400],
    ['/requests?account=%00', 400],
    ['/search', 400],
    ['/search?q=x&limit=51', 400],
    ['/requests/SR-9999999', 404],
    ['/nothing', 404],
  ])('answers %s with a problem of status %i; fails when a mistake looks like an empty result', async (path, status) => {
    const response = await fetch(`${source.url}${path}`);
    expect([response.status, response.headers.get('content-type')]).toEqual([status, 'application/problem+json']);
    expect(await response.json()).toMatchObject({ status });
  });

  it('answers 503 when its table is gone; fails when a lost database looks like an empty register', async () => {
    const empty = await createSampleDatabase();
    const lost = await startSampleSource({ databaseUrl: empty.url });
    const response = await fetch(`${lost.url}/requests`);
    await lost.stop();
    await empty.drop();
    expect([response.status, response.headers.get('content-type')]).toEqual([503, 'application/problem+json']);
  });

  it('asks for its token everywhere but at /healthz; fails when a forgotten credential still reads', async () => {
    const guarded = await startSampleSource({ databaseUrl: database.url, token: 'open-sesame' });
    const status = async (path: string, token?: string) =>
      (await fetch(`${guarded.url}${path}`, { headers: token ? { authorization: `Bearer ${token}` } : {} })).status;
    const statuses = [await status('/healthz'), await status('/requests'), await status('/faults'), await status('/requests', 'other')];
    const right = await status('/requests', 'open-sesame');
    await guarded.stop();
    expect([statuses, right]).toEqual([[200, 401, 401, 401], 200]);
  });

  it('remembers what it was asked; fails when a test cannot tell which pages were read', async () => {
    await get('/requests?account=ACC-ASKED&page=2');
    expect(source.requests('ACC-ASKED')).toMatchObject([{ path: 'list', page: 2, url: '/requests?account=ACC-ASKED&page=2' }]);
  });
});
