import type { ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { HttpConnect } from '../kit/index.js';
import { attempt, type Attempted, type AttemptSettings } from './attempts.js';
import { askedFor, aHttpRegister, type RegisterAndSource } from './registers.js';
import { anItem, scriptedSource, sendJson, type Item, type ScriptedSource } from './scripted-source.js';

let source: ScriptedSource;
afterEach(() => source.close());

type Script = Parameters<typeof scriptedSource>[0];

const ABSENT = 'INV-2024-00999';

/** One attempt over a server that answers by the script. */
const read = async (script: Script, register = aHttpRegister(), settings: Partial<AttemptSettings> = {}): Promise<Attempted> => {
  source = await scriptedSource(script);
  return attempt(register, { url: source.url, hosts: [source.host], identifiers: askedFor(ABSENT), ...settings });
};

interface Page {
  readonly items: readonly Item[];
  readonly next_cursor?: string | null;
  readonly has_more?: boolean;
  readonly total?: number;
}

/** Pages by cursor: the first under null, then as each says. */
const pagesByCursor =
  (pages: Readonly<Record<string, Page>>): Script =>
  (url, response) => {
    const page = pages[url.searchParams.get('cursor') ?? 'first'];
    return page ? sendJson(response, { has_more: page.next_cursor !== null, total: 3, ...page }) : sendJson(response, {}, 400);
  };

const items = (...numbers: number[]): Item[] => numbers.map((number) => anItem(number));
const raw = (body: string | Buffer, headers: Record<string, string> = { 'content-type': 'application/json' }, status = 200) => {
  return (_url: URL, response: ServerResponse): void => void response.writeHead(status, headers).end(body);
};

const numbered = (kind: 'page' | 'offset'): HttpConnect['paging'] => {
  const send = { in: 'query', name: kind } as const;
  const pageSize = { send: { in: 'query', name: 'limit' }, size: 2 } as const;
  return kind === 'page' ? { kind, send, first: 1, pageSize } : { kind, send, first: 0, pageSize, overlap: 0 };
};

const exactTotal: NonNullable<HttpConnect['total']> = {
  path: '/total',
  relation: 'exact',
  counts: 'all',
  firstPageOnly: false,
  optional: false,
  countedBeforeAccess: false,
};

describe('a read by cursor', () => {
  // Fails if a walk ends at its first page.
  it('finds the match on page two and asks for no page more', async () => {
    const script = pagesByCursor({
      first: { items: items(1), next_cursor: 'b' },
      b: { items: items(2), next_cursor: 'c' },
      c: { items: items(3), next_cursor: null },
    });
    const { outcome, pages } = await read(script, aHttpRegister(), { identifiers: askedFor('inv 2024 00002') });
    expect(outcome).toMatchObject({ stopReason: 'match-found', matched: true, pages: 2 });
    expect(pages[1]?.rows[0]?.recordId).toBe('SR-0000002');
    expect(source.asked).toHaveLength(2);
  });

  // Fails if a page is asked for before the one before it was published.
  it('hands a page on before it asks for the next', async () => {
    const askedAtPage: number[] = [];
    const script = pagesByCursor({
      first: { items: items(1), next_cursor: 'b' },
      b: { items: items(2), next_cursor: 'c' },
      c: { items: items(3), next_cursor: null },
    });
    const onPage = async (): Promise<void> => {
      await setTimeout(30);
      askedAtPage.push(source.asked.length);
    };
    await read(script, aHttpRegister(), { onPage });
    expect(askedAtPage).toEqual([1, 2, 3]);
  });

  // Fails if a page that could not be published is read over.
  it('ends with what the publication throws', async () => {
    const onPage = async (): Promise<void> => {
      throw new Error('the log is gone');
    };
    const script = pagesByCursor({ first: { items: items(1), next_cursor: 'b' } });
    await expect(read(script, aHttpRegister(), { onPage })).rejects.toThrow('the log is gone');
    expect(source.asked).toHaveLength(1);
  });

  // Fails if an empty or a short page counts as the end: the record behind it would be missed.
  it('goes on behind an empty page and behind a short one', async () => {
    const script = pagesByCursor({
      first: { items: items(1), next_cursor: 'b' },
      b: { items: [], next_cursor: 'c' },
      c: { items: items(2, 3), next_cursor: null },
    });
    const { outcome } = await read(script);
    expect(outcome).toMatchObject({ stopReason: 'end-signalled', doubts: [], pages: 3, records: 3 });
  });

  // Fails if a cursor that leads nowhere new is followed for ever, or taken as the end.
  it.each([
    ['a page whose cursor is its own', { first: { items: items(1), next_cursor: 'b' }, b: { items: items(2), next_cursor: 'b' } }],
    [
      'a circle of two',
      { first: { items: items(1), next_cursor: 'a' }, a: { items: items(2), next_cursor: 'b' }, b: { items: items(3), next_cursor: 'a' } },
    ],
  ])('stops at %s', async (_name, pages) => {
    const { outcome } = await read(pagesByCursor(pages));
    expect(outcome.stopReason).toBe('cursor-repeated');
  });

  it('stops where a page comes again under another cursor', async () => {
    const { outcome } = await read(
      pagesByCursor({ first: { items: items(1), next_cursor: 'b' }, b: { items: items(1), next_cursor: 'c' } }),
    );
    expect(outcome.stopReason).toBe('page-duplicated');
  });

  // Fails if one end signal is believed against the other.
  it.each([
    ['no more, and a cursor', { items: items(1), next_cursor: 'b', has_more: false }],
    ['more, and no cursor', { items: items(1), next_cursor: null, has_more: true }],
  ])('stops at a page that says: %s', async (_name, first) => {
    const { outcome, pages } = await read(pagesByCursor({ first }));
    expect(outcome).toMatchObject({ stopReason: 'end-signals-conflict', pages: 1 });
    expect(pages[0]).toMatchObject({ end: 'unclear', stop: 'end-signals-conflict' });
  });

  // Fails if something left out by a wrapper or a field mask reads as "no more".
  it.each([
    ['cursor', { items: [], has_more: false, total: 0 }],
    ['flag', { items: [], next_cursor: null, total: 0 }],
    ['total', { items: [], next_cursor: null, has_more: false }],
  ])('stops where the %s is missing', async (_name, body) => {
    const { outcome } = await read((_url, response) => sendJson(response, body));
    expect(outcome.stopReason).toBe('metadata-missing');
  });

  // Fails if rows that the source counts but does not give are not missed.
  it('doubts an end with fewer records than the exact total', async () => {
    const { outcome } = await read(pagesByCursor({ first: { items: items(1), next_cursor: null, total: 2 } }));
    expect(outcome).toMatchObject({ stopReason: 'end-signalled', doubts: ['total-mismatch'] });
  });

  it('doubts an order in which a record comes twice', async () => {
    const { outcome } = await read(pagesByCursor({ first: { items: items(1, 1, 2), next_cursor: null, total: 2 } }));
    expect(outcome.doubts).toContain('order-unproven');
  });

  // Fails if an expired cursor is taken for a missing page.
  it('is cut off by a cursor that has expired, and not by a 410 elsewhere', async () => {
    const script: Script = (url, response) =>
      url.searchParams.has('cursor')
        ? sendJson(response, {}, 410)
        : sendJson(response, { items: items(1), next_cursor: 'b', has_more: true, total: 3 });
    expect((await read(script)).outcome).toMatchObject({ stopReason: 'cursor-expired', pages: 1 });
    await source.close();
    expect((await read((_url, response) => sendJson(response, {}, 410))).outcome.stopReason).toBe('source-unavailable');
  });
});

describe('a read by numbers', () => {
  const byNumber = (kind: 'page' | 'offset', more: Partial<HttpConnect> = {}): RegisterAndSource<HttpConnect> =>
    aHttpRegister(
      {
        paging: numbered(kind),
        end: [{ by: 'flag', path: '/has_more', ends: [false], continues: [true] }],
        ...more,
      },
      { drift: 'second-pass' },
    );
  const all = items(1, 2, 3, 4, 5);
  const slice = (from: number, size: number): Page => ({
    items: all.slice(from, from + size),
    has_more: from + size < all.length,
    total: all.length,
  });

  // Fails if the second pass is left out, joined to the first, or not compared.
  it('reads everything twice where only that excludes drift', async () => {
    const script: Script = (url, response) => sendJson(response, slice((Number(url.searchParams.get('page')) - 1) * 2, 2));
    const { outcome, pages } = await read(script, byNumber('page'));
    expect(outcome).toMatchObject({ stopReason: 'end-signalled', doubts: [], pages: 6 });
    expect(pages.map(({ pass, sequence }) => [pass, sequence])).toEqual([
      [1, 0],
      [1, 1],
      [1, 2],
      [2, 3],
      [2, 4],
      [2, 5],
    ]);
  });

  it('doubts two passes that differ', async () => {
    let answers = 0;
    const script: Script = (url, response) => {
      answers += 1;
      const page = slice((Number(url.searchParams.get('page')) - 1) * 2, 2);
      sendJson(response, answers === 5 ? { ...page, items: items(3, 9) } : page);
    };
    expect((await read(script, byNumber('page'))).outcome.doubts).toContain('drift-possible');
  });

  // Fails if an offset moves by what was asked for where the source allows less: every second pair of records would be skipped.
  it('skips nothing where the source gives fewer records than asked for', async () => {
    const script: Script = (url, response) => sendJson(response, slice(Number(url.searchParams.get('offset')), 1));
    const { outcome } = await read(script, byNumber('offset'));
    expect(outcome).toMatchObject({ stopReason: 'end-signalled', records: 10, doubts: [] });
  });

  // Fails if the end that a moving total says is believed without a doubt.
  it('doubts an end by a total that changed', async () => {
    const script: Script = (url, response) => {
      const from = Number(url.searchParams.get('offset'));
      sendJson(response, { items: slice(from, 2).items, total: from === 0 ? 5 : 4 });
    };
    expect((await read(script, byNumber('offset', { end: [{ by: 'total' }] }))).outcome.doubts).toContain('total-changed');
  });

  // Fails if a source that allows one record where two are asked for ends at its first page.
  it('does not end at a short page alone', async () => {
    const script: Script = (url, response) =>
      sendJson(response, { items: slice(Number(url.searchParams.get('page')) - 1, 1).items, total: 5 });
    const { outcome } = await read(script, byNumber('page', { end: [{ by: 'short-page', documentedAt: 'docs' }] }));
    expect(outcome).toMatchObject({ stopReason: 'end-signalled', records: 10 });
  });

  // Fails if an offset jumps over records behind an empty page.
  it('stops by offset at an empty page that says there is more', async () => {
    const script: Script = (_url, response) => sendJson(response, { items: [], has_more: true, total: 5 });
    expect((await read(script, byNumber('offset'))).outcome.stopReason).toBe('end-signals-conflict');
  });

  it('ends by total, by an empty page or by a short page only where the contract says so', async () => {
    const script: Script = (url, response) =>
      sendJson(response, { items: slice(Number(url.searchParams.get('offset')), 2).items, total: 5 });
    const signals: HttpConnect['end'][] = [
      [{ by: 'total' }],
      [{ by: 'empty-page', documentedAt: 'docs' }],
      [{ by: 'short-page', documentedAt: 'docs' }],
    ];
    for (const end of signals) {
      const { outcome } = await read(script, byNumber('offset', { end }));
      expect(outcome.stopReason).toBe('end-signalled');
      await source.close();
    }
    expect((await read(script, byNumber('offset'))).outcome.stopReason).toBe('metadata-missing');
  });
});

describe('an answer that is none', () => {
  // Fails if an error of the source, or a page that is no answer to us, reads as an empty list.
  it.each<[string, Script, string]>([
    ['401', raw('{}', undefined, 401), 'source-forbidden'],
    ['403', raw('{}', undefined, 403), 'source-forbidden'],
    ['404', raw('{"items":[]}', undefined, 404), 'source-unavailable'],
    ['408', raw('{}', undefined, 408), 'timed-out'],
    ['504', raw('{}', undefined, 504), 'timed-out'],
    ['500', raw('{"items":[]}', undefined, 500), 'source-unavailable'],
    ['422', raw('{}', undefined, 422), 'response-invalid'],
    ['204', raw('', {}, 204), 'response-invalid'],
    ['206', raw('{"items":[],"next_cursor":null,"has_more":false,"total":0}', undefined, 206), 'partial-answer'],
    ['a redirect', raw('', { location: '/login' }, 302), 'response-invalid'],
    ['a login page', raw('<html>', { 'content-type': 'text/html' }), 'response-invalid'],
    ['a login page that says JSON', raw('<html>'), 'response-invalid'],
    ['an empty body', raw(''), 'response-invalid'],
    ['half a body', raw('{"items":[{"id":'), 'response-invalid'],
    ['no items', raw('{"next_cursor":null,"has_more":false,"total":0}'), 'response-invalid'],
    ['items that are no list', raw('{"items":{},"next_cursor":null,"has_more":false,"total":0}'), 'response-invalid'],
    ['a record without id', raw('{"items":[{}],"next_cursor":null,"has_more":false,"total":1}'), 'response-invalid'],
    ['an id that is a list', raw('{"items":[{"id":[1]}],"next_cursor":null,"has_more":false,"total":1}'), 'response-invalid'],
    ['text that is no UTF-8', raw(Buffer.from([0x7b, 0xff, 0x7d])), 'response-invalid'],
    ['compressed garbage', raw('not gzip', { 'content-type': 'application/json', 'content-encoding': 'gzip' }), 'response-invalid'],
    [
      'compression not asked for',
      raw(gzipSync('{}'), { 'content-type': 'application/json', 'content-encoding': 'gzip' }),
      'response-invalid',
    ],
    ['a reset', (_url, response) => void response.destroy(), 'source-unavailable'],
    [
      'a body cut short',
      (_url, response) =>
        void response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' }).write('{', () => response.destroy()),
      'source-unavailable',
    ],
  ])('%s is a failure', async (_name, script, reason) => {
    const { outcome, pages } = await read(script);
    expect([outcome.stopReason, pages]).toEqual([reason, []]);
  });

  // Fails if the wait that a source asks for is lost, or has no bound.
  it.each([
    ['7', 7_000],
    ['999999999', 86_400_000],
    ['soon', null],
  ])('429 with Retry-After %s asks for %s ms', async (header, retryAfterMs) => {
    const { outcome } = await read(raw('{}', { 'retry-after': header }, 429));
    expect(outcome).toMatchObject({ stopReason: 'rate-limited', retryAfterMs });
  });

  it('silence ends as timed-out, and as budget-time when the attempt has no time left', async () => {
    expect((await read(() => undefined, aHttpRegister({ requestTimeoutMs: 100 }))).outcome.stopReason).toBe('timed-out');
    await source.close();
    expect((await read(() => undefined, aHttpRegister(), { limits: { elapsedMsMax: 100 } })).outcome.stopReason).toBe('budget-time');
  });

  it('a body that trickles ends as timed-out', async () => {
    const script: Script = (_url, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(timer));
    };
    expect((await read(script, aHttpRegister({ requestTimeoutMs: 200 }))).outcome.stopReason).toBe('timed-out');
  });

  // Fails if a body is gathered without bound, or a cut one is read.
  it('a body that does not end is cut at the contract’s bound, and at the budget’s', async () => {
    let sent = 0;
    const script: Script = (_url, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = (): void => {
        sent += 65_536;
        if (!response.destroyed && sent < 268_435_456) response.write(Buffer.alloc(65_536, 32), more);
      };
      more();
    };
    expect((await read(script, aHttpRegister({ responseBytesMax: 1_000_000 }))).outcome.stopReason).toBe('truncated');
    expect(sent).toBeLessThan(50_000_000);
    await source.close();
    expect((await read(script, aHttpRegister(), { limits: { bytesMax: 100_000 } })).outcome.stopReason).toBe('budget-bytes');
  });

  it('a 404 is an empty answer only where the contract says so', async () => {
    const { outcome, pages } = await read(raw('{}', undefined, 404), aHttpRegister({ notFound: 'empty' }));
    expect([outcome.stopReason, pages[0]?.status, pages[0]?.records]).toEqual(['end-signalled', 404, 0]);
  });

  // Fails if an expired cursor or a lost page counts as the signalled end: every record behind it would be missed.
  it('a 404 behind the first page is never an end', async () => {
    const script: Script = (url, response) =>
      url.searchParams.has('cursor') || url.searchParams.get('page') === '2'
        ? sendJson(response, {}, 404)
        : sendJson(response, { items: items(1, 2), next_cursor: 'b', has_more: true, total: 3 });
    const byPage: Partial<HttpConnect> = {
      paging: numbered('page'),
      end: [{ by: 'flag', path: '/has_more', ends: [false], continues: [true] }],
    };
    const onCursor = await read(script, aHttpRegister({ notFound: 'empty' }));
    expect([onCursor.outcome.stopReason, onCursor.pages.length]).toEqual(['cursor-expired', 1]);
    await source.close();
    const onNumber = await read(script, aHttpRegister({ notFound: 'empty', ...byPage }, { drift: 'second-pass' }));
    expect([onNumber.outcome.stopReason, onNumber.pages.length]).toEqual(['source-unavailable', 1]);
  });

  it('a flag of the contract counts, as a doubt or as a stop', async () => {
    const flags: HttpConnect['flags'] = [
      { path: '/partial', clean: [false], cleanWhenEmpty: false, members: [], reason: 'partial-answer', required: true },
      { path: '/ok', clean: [true], cleanWhenEmpty: false, members: [], reason: 'error-in-success', required: false },
    ];
    const body = { items: [], next_cursor: null, has_more: false, total: 0 };
    const outcomeOf = async (more: object): Promise<unknown[]> => {
      const { outcome } = await read((_url, response) => sendJson(response, { ...body, ...more }), aHttpRegister({ flags }));
      await source.close();
      return [outcome.stopReason, ...outcome.doubts];
    };
    expect(await outcomeOf({ partial: false })).toEqual(['end-signalled']);
    expect(await outcomeOf({ partial: true })).toEqual(['end-signalled', 'partial-answer']);
    expect(await outcomeOf({})).toEqual(['metadata-missing']);
    expect(await outcomeOf({ partial: false, ok: false })).toEqual(['error-in-success']);
  });
});

describe('what decides nothing', () => {
  // Fails if an estimate that is text or missing holds, or if an empty snapshot id proves a snapshot.
  it.each(['82', 'about 80', null, undefined, 10.5])('an estimate that is %j does not hold', async (total) => {
    const script: Script = (_url, response) => sendJson(response, { items: [], next_cursor: null, has_more: false, total });
    const { outcome } = await read(script, aHttpRegister({ total: { ...exactTotal, relation: 'estimate' } }));
    expect([outcome.stopReason, ...outcome.doubts]).toEqual(['end-signalled']);
  });
  it('an empty snapshot id is none', async () => {
    const script: Script = (url, response) =>
      sendJson(response, {
        items: items(url.searchParams.has('cursor') ? 2 : 1),
        next_cursor: url.searchParams.has('cursor') ? null : 'b',
        has_more: !url.searchParams.has('cursor'),
        total: 2,
        snap: '',
      });
    const { outcome } = await read(script, aHttpRegister({ snapshot: '/snap' }, { drift: 'snapshot' }));
    expect(outcome.doubts).toContain('drift-possible');
  });
});

describe('a flag', () => {
  const body = { items: [], next_cursor: null, has_more: false, total: 0 };
  const doubtsAt = async (flag: Partial<HttpConnect['flags'][number]>, value: string): Promise<readonly string[]> => {
    const flags = [
      { path: '/f', clean: [], cleanWhenEmpty: false, members: [], reason: 'partial-answer', required: true, ...flag },
    ] as const;
    const { outcome } = await read(raw(JSON.stringify({ ...body, f: 'F' }).replace('"F"', value)), aHttpRegister({ flags }));
    return outcome.doubts;
  };

  // Fails if a value that nobody thought of reads as a whole answer.
  it.each(['true', '"true"', '1', '"yes"', 'null', '["shard-3"]', '[]', '{}', '{"failed":2}', '"false"', '0'])(
    'raises its reason at %s, where only false is clean',
    async (value) => expect(await doubtsAt({ clean: [false] }, value)).toEqual(['partial-answer']),
  );

  // Fails if a list of errors or a count of failures must be spelled out, or if one that says something is passed over.
  it.each(['[{"message":"x"}]', '{"a":1}', '"x"', '" "', '1', '-1', '0.5', 'true', 'false', '1e400'])(
    'raises its reason at %s, where empty is clean',
    async (value) => expect(await doubtsAt({ cleanWhenEmpty: true }, value)).toEqual(['partial-answer']),
  );
  it.each(['null', '[]', '{}', '""', '0'])('passes %s where empty is clean', async (value) =>
    expect(await doubtsAt({ cleanWhenEmpty: true }, value)).toEqual([]),
  );
});

describe('values', () => {
  // Fails if two ids beyond 2^53 become one number: the second record would be a repetition of the first, and an exclusion would hit both.
  it('keep every digit of ids and versions beyond 2^53', async () => {
    const item = (id: string): string =>
      `{"id":${id},"version":1.0,"account":"ACC-000001","reference":"INV-2024-00001","instance":"EU-1","status":"closed"}`;
    const body = `{"items":[${item('9007199254740992')},${item('9007199254740993')}],"next_cursor":null,"has_more":false,"total":2}`;
    const { outcome, pages } = await read(raw(body), aHttpRegister(), { identifiers: askedFor('INV-2024-00001') });
    expect(pages[0]?.rows.map(({ recordId, version }) => [recordId, version])).toEqual([
      ['9007199254740992', '1'],
      ['9007199254740993', '1'],
    ]);
    expect(outcome.doubts).toEqual([]);
  });

  // Fails if a key that the source stopped sending reads as another record.
  it('a key that is absent in a row is a doubt', async () => {
    const { outcome } = await read((_url, response) =>
      sendJson(response, { items: [{ id: 'SR-1', reference: ABSENT }], next_cursor: null, has_more: false, total: 1 }),
    );
    expect(outcome).toMatchObject({ stopReason: 'end-signalled', doubts: ['field-unavailable'] });
  });

  // Fails if a page of many candidates makes an event that the log refuses, or if the cut is silent.
  it('more candidates than a page read can hold are cut, matches first, with a doubt', async () => {
    const candidates = Array.from({ length: 1_500 }, (_, at) => anItem(at + 1, { reference: ABSENT, instance: null }));
    const match = anItem(2_000, { reference: ABSENT, status: 'closed' });
    const { outcome, pages } = await read(pagesByCursor({ first: { items: [...candidates, match], next_cursor: null, total: 1_501 } }));
    expect(outcome.doubts).toEqual(['truncated']);
    expect(pages[0]?.rows[0]?.recordId).toBe(match.id);
    expect(pages[0]?.rows.length).toBeLessThanOrEqual(1_000);
    expect(Buffer.byteLength(JSON.stringify(pages[0]))).toBeLessThan(262_144);
  });

  // Fails if an excluded record ends the walk, or disappears from the page.
  it('an excluded record is still named, and does not end the walk', async () => {
    const script = pagesByCursor({ first: { items: items(1), next_cursor: 'b' }, b: { items: items(2), next_cursor: null, total: 3 } });
    const exclusions = [{ source: 'ledger-api', recordId: 'SR-0000001', version: '1', digest: '0'.repeat(64) }];
    const { outcome, pages } = await read(script, aHttpRegister(), { identifiers: askedFor('INV-2024-00001'), exclusions });
    expect([outcome.matched, outcome.pages, pages[0]?.rows.length]).toEqual([false, 2, 1]);
  });

  it('a merged record is followed by id, and one that cannot be read is not', async () => {
    const merged = anItem(1, { status: 'merged', merged_into: 'SR-0000002' });
    const script: Script = (url, response) => {
      if (url.pathname === '/requests/SR-0000002') return sendJson(response, anItem(2));
      return sendJson(response, {
        items: [merged, { ...merged, id: 'SR-3', merged_into: '../x' }],
        next_cursor: null,
        has_more: false,
        total: 2,
      });
    };
    const { outcome, pages } = await read(script, aHttpRegister(), { identifiers: askedFor('INV-2024-00001') });
    expect(outcome.matched).toBe(true);
    expect(pages[0]?.rows.map(({ recordId, followedTo }) => [recordId, followedTo])).toEqual([
      ['SR-0000001', 'SR-0000002'],
      ['SR-3', null],
      ['SR-0000002', null],
    ]);
    expect(source.asked.at(-1)).toBe('/requests/..%2Fx');
  });
});

describe('what may be reached', () => {
  const empty: Script = (_url, response) => sendJson(response, { items: [], next_cursor: null, has_more: false, total: 0 });

  // Fails if a register can make this service read whatever its network reaches.
  it('is only what is listed, and a private or loopback address only where that is meant', async () => {
    source = await scriptedSource(empty);
    const { port } = new URL(source.url);
    const stopOf = async (url: string, hosts: readonly string[], networks: readonly string[] = []): Promise<unknown> =>
      (await attempt(aHttpRegister(), { url, hosts, networks, identifiers: askedFor(ABSENT) })).outcome.stopReason;
    expect(await stopOf(source.url, [])).toBe('source-forbidden');
    expect(await stopOf(source.url, ['127.0.0.1:1'])).toBe('source-forbidden');
    expect(await stopOf(source.url, [source.host])).toBe('end-signalled');
    expect(await stopOf(`http://localhost:${port}`, [`localhost:${port}`])).toBe('end-signalled');
    expect(await stopOf(`http://user:secret@${source.host}`, [source.host])).toBe('source-forbidden');
    expect(await stopOf('file:///etc/passwd', [':'])).toBe('source-forbidden');
    expect(await stopOf('', [])).toBe('source-unavailable');
  });

  // Fails if a secret or an address gets into what is published.
  it('stays out of pages and outcomes, as do header values and personal identifiers', async () => {
    const { register, source: rule } = aHttpRegister({
      request: { ...aHttpRegister().source.connect.request, headers: { authorization: { secret: { env: 'TOKEN' } } } },
    });
    const personal = {
      ...register,
      identifiers: { ...register.identifiers, account: { ...register.identifiers['account']!, personal: true } },
    };
    const seen: string[] = [];
    source = await scriptedSource((url, response, request) => {
      seen.push(request.headers.authorization ?? '');
      empty(url, response, request);
    });
    const settings = (account: string) => ({ url: source.url, hosts: [source.host], identifiers: askedFor(ABSENT, 'EU-1', account) });
    const one = await attempt({ register: personal, source: rule }, settings('ACC-000001'));
    const other = await attempt({ register: personal, source: rule }, settings('ACC-000002'));
    expect(seen).toEqual([source.url, source.url]);
    expect(JSON.stringify(one)).not.toContain('127.0.0.1');
    expect(one.pages[0]?.requestFingerprint).toBe(other.pages[0]?.requestFingerprint);
  });
});
