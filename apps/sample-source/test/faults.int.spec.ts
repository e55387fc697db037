import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Fault, SampleSource } from '../src/index.js';
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

describe('the fault switches of the sample source', () => {
  let database: SampleDatabase;
  let source: SampleSource;
  let account: string;
  beforeAll(async () => {
    database = await createSampleDatabase();
    await loadSample(database.url, { rows: 2_000, seed: 4 });
    source = await startSampleSource({ databaseUrl: database.url });
    const [row] = await database.query<{ account: string }>(
      'select account from sample.service_request group by account having count(*) = 500',
    );
    account = row?.account ?? '';
  });
  afterAll(async () => {
    await source.stop();
    await database.drop();
  });

  const url = (query: string) => `${source.url}/requests?account=${account}&${query}`;
  const page = async (query: string) => (await fetch(url(query))).json() as Promise<Page>;
  const withFaults = async <T>(faults: Fault[], work: () => Promise<T>) => {
    const remove = source.faults.add(faults);
    const before = source.faults.applied().length;
    const result = await work().finally(remove);
    return { result, applied: source.faults.applied().slice(before) };
  };
  const cursors = async (query: string, pages: number) => {
    const seen: (string | null)[] = [];
    for (let cursor: string | null = null; seen.length < pages;) {
      cursor = (await page(`${query}${cursor ? `&cursor=${cursor}` : ''}`)).next_cursor ?? null;
      seen.push(cursor);
      if (cursor === null) break;
    }
    return seen;
  };

  it.each([403, 429, 500])('answer %i with its Retry-After; fails when a refusal cannot be played', async (status) => {
    const { result, applied } = await withFaults([{ kind: 'status', status, retryAfterSeconds: 2, times: 1 }], async () => {
      return [await fetch(url('page=1')), await fetch(url('page=1'))] as const;
    });
    expect([result[0].status, result[0].headers.get('retry-after'), result[1].status]).toEqual([status, '2', 200]);
    expect(applied).toMatchObject([{ kind: 'status', account, page: 1, path: 'list' }]);
  });

  it('answer late, or never; fails when a slow page is not slow', async () => {
    const began = performance.now();
    const { result } = await withFaults([{ kind: 'delay', delayMs: 150, match: { page: 2 } }], () => page('page=2&per_page=100'));
    expect([result.items.length, performance.now() - began >= 145]).toEqual([100, true]);
    const never = withFaults([{ kind: 'no-answer' }], () => fetch(url('page=1'), { signal: AbortSignal.timeout(200) }));
    await expect(never).rejects.toThrow(/timeout/i);
  });

  it('give a login page for JSON; fails when HTML with status 200 cannot be played', async () => {
    const { result } = await withFaults([{ kind: 'login-page' }], () => fetch(url('page=1')));
    expect([result.status, result.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  });

  it('cut the body, the response or the connection; fails when a broken answer arrives whole', async () => {
    const half = await withFaults([{ kind: 'half-json' }], async () => (await fetch(url('page=1'))).text());
    expect(half.result.length).toBeGreaterThan(100);
    expect(() => JSON.parse(half.result) as unknown).toThrow();
    for (const kind of ['truncated-body', 'reset'] as const) {
      await expect(withFaults([{ kind }], async () => (await fetch(url('page=1'))).text())).rejects.toThrow();
    }
  });

  it('repeat one cursor for ever; fails when the walk ends by itself', async () => {
    const { result } = await withFaults([{ kind: 'repeat-cursor' }], () => cursors('limit=100', 6));
    expect(result).toHaveLength(6);
    expect(new Set(result).size).toBe(1);
  });

  it('lead cursors in a circle A-B-A; fails when no cursor comes back or one repeats at once', async () => {
    const { result } = await withFaults([{ kind: 'cursor-cycle' }], () => cursors('limit=100', 6));
    expect(result[0]).not.toBe(result[1]);
    expect(result).toEqual([result[0], result[1], result[0], result[1], result[0], result[1]]);
  });

  it('repeat page numbers and offsets too; fails when only cursors can loop', async () => {
    const { result } = await withFaults([{ kind: 'repeat-cursor' }], async () => [
      await page('page=5&per_page=100'),
      await page('offset=100&limit=100'),
    ]);
    expect(result).toMatchObject([
      { next_page: 5, has_more: true },
      { next_offset: 100, has_more: true },
    ]);
  });

  it('empty a middle page without losing rows to a cursor; fails when an empty page must be an end', async () => {
    const { result, applied } = await withFaults([{ kind: 'empty-page', match: { page: 2 } }], async () => {
      const pages = [await page('limit=200')];
      while (pages.at(-1)?.next_cursor && pages.length < 10) pages.push(await page(`limit=200&cursor=${pages.at(-1)?.next_cursor}`));
      return pages;
    });
    expect(result.map(({ items, has_more }) => [items.length, has_more])).toEqual([
      [200, true],
      [0, true],
      [200, true],
      [100, false],
    ]);
    expect(new Set(result.flatMap(({ items }) => items.map(({ id }) => id))).size).toBe(500);
    expect(applied).toHaveLength(1);
  });

  it('change the total, or tell a wrong one; fails when totals cannot lie', async () => {
    const totals = async () => [(await page('page=1&per_page=250')).total, (await page('page=2&per_page=250')).total];
    expect((await withFaults([{ kind: 'total-changed' }], totals)).result).toEqual([500, 501]);
    expect((await withFaults([{ kind: 'total-wrong', by: -3 }], totals)).result).toEqual([497, 497]);
  });

  it.each(['page=2&per_page=100', 'offset=100&limit=100'])(
    'signal an end with rows left and a total that agrees at %s; fails when it can be told',
    async (query) => {
      const { result } = await withFaults([{ kind: 'lying-end' }], () => page(query));
      expect(result).toMatchObject({ total: 200, has_more: false });
      expect(result.next_page ?? result.next_offset ?? null).toBeNull();
    },
  );

  it('leave a last page alone that cannot lie; fails when a fault is recorded that changed nothing', async () => {
    const { result, applied } = await withFaults([{ kind: 'lying-end' }, { kind: 'empty-page' }], () => page('page=5&per_page=100'));
    expect([result.items.length, result.has_more, applied]).toEqual([100, false, []]);
  });

  it('repeat a row; fails when duplicates cannot be played', async () => {
    const { result } = await withFaults([{ kind: 'duplicate-rows', match: { page: 1 } }], () => page('page=1&per_page=10'));
    expect([result.items.length, new Set(result.items.map(({ id }) => id)).size]).toEqual([11, 10]);
  });

  it('silence the search of one reference; fails when a silent index silences all of them', async () => {
    const hits = async (q: string) => ((await (await fetch(`${source.url}/search?q=${q}`)).json()) as { hits: unknown[] }).hits.length;
    const { result } = await withFaults([{ kind: 'silent-search', match: { reference: 'INV' } }], async () => [
      await hits('INV'),
      await hits('REQ'),
    ]);
    expect(result).toEqual([0, 20]);
  });

  it('are set, listed and cleared over HTTP; fails when another process cannot switch them', async () => {
    const own = await startSampleSource({ databaseUrl: database.url });
    const send = (method: string, body?: unknown) =>
      fetch(`${own.url}/faults`, { method, ...(body !== undefined && { body: JSON.stringify(body) }) });
    const fault: Fault = { kind: 'status', status: 403, match: { account } };
    const put = await send('PUT', [fault]);
    const refused = await fetch(`${own.url}/requests?account=${account}`);
    const seen = (await (await send('GET')).json()) as { faults: Fault[]; applied: unknown[] };
    const bad = await send('PUT', [{ kind: 'nothing' }]);
    await send('DELETE');
    const after = await fetch(`${own.url}/requests?account=${account}`);
    await own.stop();
    expect([put.status, refused.status, bad.status, after.status]).toEqual([200, 403, 400, 200]);
    expect([seen.faults, seen.applied.length]).toEqual([[fault], 1]);
  });
});
