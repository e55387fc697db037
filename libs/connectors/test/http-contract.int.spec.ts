/** Every part of the contract language, read over HTTP from a server whose answers are written here. */
import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import type { DocumentSource, HttpConnect } from '../kit/index.js';
import { attempt, type Attempted, type AttemptSettings } from './attempts.js';
import { askedFor, aHttpRegister } from './registers.js';
import { anItem, scriptedSource, sendJson, type Item, type ScriptedSource } from './scripted-source.js';

let source: ScriptedSource;
afterEach(() => source.close());

type Script = Parameters<typeof scriptedSource>[0];
type Change = Partial<HttpConnect>;
type Flag = HttpConnect['flags'][number];

const bare: Change = { total: undefined, end: [{ by: 'no-next-cursor' }] };
const byUrl: HttpConnect['paging'] = {
  kind: 'url',
  next: { link: 'next' },
  noCursor: ['absent'],
  cursorAtEnd: 'never',
  replay: 'unknown',
  samePath: true,
  keeps: ['account'],
};
const byCursor = (changes: object): HttpConnect['paging'] =>
  ({
    kind: 'cursor',
    send: { in: 'query', name: 'cursor' },
    next: '/next_cursor',
    noCursor: ['absent', 'null'],
    cursorAtEnd: 'never',
    replay: 'unknown',
    otherParameters: 'sent',
    overlap: 0,
    ...changes,
  }) as HttpConnect['paging'];

const read = async (
  script: Script,
  connect: Change,
  rule: Partial<DocumentSource> = {},
  settings: Partial<AttemptSettings> = {},
): Promise<Attempted> => {
  source = await scriptedSource(script);
  const register = aHttpRegister({ ...bare, ...connect }, { drift: 'documented', ...rule });
  return attempt(register, { url: source.url, hosts: [source.host], identifiers: askedFor('INV-2024-00999'), ...settings });
};

const said = ({ outcome }: Attempted): readonly string[] => [outcome.stopReason, ...outcome.doubts];
const items = (...numbers: number[]): Item[] => numbers.map((number) => anItem(number));
const withHeaders = (response: ServerResponse, headers: Record<string, string>, body: unknown): void =>
  void response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
const single: Change = { paging: { kind: 'none' }, end: [{ by: 'single-answer', documentedAt: 'https://example.org' }] };
const answer = (body: unknown, connect: Change): Promise<Attempted> =>
  read((_url, response) => sendJson(response, body), { ...single, ...connect });

describe('a next page as a URL', () => {
  const linked =
    (next: string | null): Script =>
    (url, response) =>
      url.searchParams.has('page')
        ? withHeaders(response, {}, { items: items(2) })
        : withHeaders(response, next === null ? {} : { link: next }, { items: items(1) });

  // Fails if a valid next link is not followed, or its absence is not the end.
  it('is followed to the page without one', async () => {
    expect(said(await read(linked('</requests?account=ACC-000001&page=2>; rel="next"'), { paging: byUrl }))).toEqual(['end-signalled']);
    expect(source.asked).toHaveLength(2);
  });

  it.each([
    ['another origin', '<http://127.0.0.1:1/requests?account=ACC-000001&page=2>; rel="next"', 'continuation-off-origin'],
    ['another scheme', '<https://127.0.0.1/requests?account=ACC-000001&page=2>; rel="next"', 'continuation-off-origin'],
    ['another path', '</others?account=ACC-000001&page=2>; rel="next"', 'continuation-off-origin'],
    ['a header that cannot be read', '</requests?page=2; rel="next"', 'response-invalid'],
  ])('that leads to %s is no end, and is not asked', async (_what, header, reason) => {
    expect(said(await read(linked(header), { paging: byUrl }))).toEqual([reason]);
    expect(source.asked).toHaveLength(1);
  });

  // Fails if page two is of another question than page one.
  it('that loses the filter is a doubt', async () => {
    expect(said(await read(linked('</requests?page=2>; rel="next"'), { paging: byUrl }))).toContain('filter-not-applied');
  });
});

describe('a cursor', () => {
  it('travels in headers, there and back, as it was given', async () => {
    const given = '{"token":null,"range":"05C1"}';
    const script: Script = (_url, response, request) =>
      request.headers['x-continuation'] === given
        ? withHeaders(response, {}, { items: items(2) })
        : withHeaders(response, { 'x-continuation': given }, { items: [] });
    const paging = byCursor({ send: { in: 'header', name: 'x-continuation' }, next: { header: 'x-continuation' } });
    expect(said(await read(script, { paging }))).toEqual(['end-signalled']);
    expect(source.asked).toHaveLength(2);
  });

  it('is taken from the last row, with its type, into the body of a POST', async () => {
    const bodies: unknown[] = [];
    const script: Script = (_url, response, request) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        bodies.push(JSON.parse(text));
        sendJson(response, { items: bodies.length === 1 ? [{ ...anItem(1), sort: [7, 'a'] }] : [] });
      });
    };
    const request = {
      method: 'POST' as const,
      path: '/search',
      query: {},
      headers: {},
      body: { account: { $identifier: 'account' }, size: 2 },
    };
    const paging = byCursor({ send: { in: 'body', name: '/search_after' }, next: { lastRow: '/sort' }, noCursor: ['absent'] });
    const end = [{ by: 'empty-page' as const, documentedAt: 'https://example.org' }];
    expect(said(await read(script, { request, paging, end }))).toEqual(['end-signalled']);
    expect(bodies).toEqual([
      { account: 'ACC-000001', size: 2 },
      { account: 'ACC-000001', size: 2, search_after: [7, 'a'] },
    ]);
  });

  const echoing: Script = (url, response) =>
    sendJson(response, { items: url.searchParams.has('cursor') ? [] : items(1), next_cursor: 'c' });
  it('that comes back unchanged on an empty page is the end only where the contract says so', async () => {
    const end = [{ by: 'unchanged-cursor' as const, documentedAt: 'https://example.org', whenEmpty: true }];
    expect(said(await read(echoing, { paging: byCursor({}), end }))).toEqual(['end-signalled']);
    await source.close();
    expect(said(await read(echoing, { paging: byCursor({}) }))).toEqual(['cursor-repeated']);
  });

  it('that is an empty text goes on, unless the contract calls that none', async () => {
    const script: Script = (url, response) =>
      url.searchParams.get('cursor') === ''
        ? sendJson(response, { items: items(2) })
        : sendJson(response, { items: items(1), next_cursor: '' });
    expect(said(await read(script, { paging: byCursor({}) }))).toEqual(['end-signalled']);
    expect(source.asked).toHaveLength(2);
    await source.close();
    expect(said(await read(script, { paging: byCursor({ noCursor: ['absent', 'empty'] }) }))).toEqual(['end-signalled']);
    expect(source.asked).toHaveLength(1);
  });

  // Fails if the records that two pages share are not compared: what moved between them would be missed.
  it.each([
    ['agrees', [1, 2], [2, 3], ['end-signalled']],
    ['does not agree', [1, 2], [3, 4], ['end-signalled', 'drift-possible']],
  ])('that re-reads the last record %s with the page before', async (_what, first, second, expected) => {
    const script: Script = (url, response) =>
      sendJson(response, url.searchParams.has('cursor') ? { items: items(...second) } : { items: items(...first), next_cursor: 'c' });
    const order = { by: '/id', compare: 'text', direction: 'ascending' } as const;
    expect(said(await read(script, { paging: byCursor({ overlap: 1 }), order }, { drift: 'overlap' }))).toEqual(expected);
  });
});

describe('an end', () => {
  const flag = (body: object, end: HttpConnect['end'], more: Change = {}): Promise<Attempted> =>
    read((_url, response) => sendJson(response, { items: items(1), ...body }), {
      paging: byCursor({ noCursor: ['absent'] }),
      end,
      ...more,
    });

  it.each<[string, object, HttpConnect['end'], string]>([
    ['a position at its target', { at: 400, end: 400 }, [{ by: 'reached', path: '/at', target: '/end' }], 'end-signalled'],
    ['a position before its target', { at: 120, end: 400 }, [{ by: 'reached', path: '/at', target: '/end' }], 'metadata-missing'],
    ['a member of the last page', { delta: 'x' }, [{ by: 'present', path: '/delta' }], 'end-signalled'],
    ['a member of the last page that is not there', {}, [{ by: 'present', path: '/delta' }], 'metadata-missing'],
    [
      'two signals that differ',
      { delta: 'x', more: true },
      [
        { by: 'present', path: '/delta' },
        { by: 'flag', path: '/more', ends: [false], continues: [true] },
      ],
      'end-signals-conflict',
    ],
  ])('is %s, or is none', async (_what, body, end, stop) => {
    expect((await flag(body, end)).outcome.stopReason).toBe(stop);
  });

  it('by the number of pages asks for so many', async () => {
    const send = { in: 'query', name: 'page' } as const;
    const script: Script = (url, response) => sendJson(response, { items: items(Number(url.searchParams.get('page'))), pages: 2 });
    expect(said(await read(script, { paging: { kind: 'page', send, first: 1 }, end: [{ by: 'page-count', path: '/pages' }] }))).toEqual([
      'end-signalled',
    ]);
    expect(source.asked).toHaveLength(2);
  });

  it.each([
    ['response-invalid', ['response-invalid']],
    ['empty', ['end-signalled']],
  ] as const)('without the list is %s as the contract says', async (itemsAbsent, expected) => {
    expect(said(await answer({}, { itemsAbsent }))).toEqual(expected);
  });

  it('of a 204 is the end only where the contract says so', async () => {
    const script: Script = (_url, response) => void response.writeHead(204).end();
    expect(said(await read(script, { ...single, noContent: 'empty' }))).toEqual(['end-signalled']);
    await source.close();
    expect(said(await read(script, single))).toEqual(['response-invalid']);
  });
});

describe('what makes an answer less than whole', () => {
  const flagged = (body: object, flag: Partial<Flag> & Pick<Flag, 'path'>): Promise<Attempted> =>
    answer(
      { items: [], ...body },
      {
        flags: [
          {
            clean: [],
            cleanWhenEmpty: false,
            members: [],
            reason: 'sub-source-unreachable',
            required: true,
            ...flag,
          } as HttpConnect['flags'][number],
        ],
      },
    );
  const shards = { path: '/shards/successful', sameAs: '/shards/total' };
  const providers = { path: '/outcomes', each: '', clean: ['ok'], members: ['a', 'b'] };

  it.each<[string, object, Partial<Flag> & Pick<Flag, 'path'>, readonly string[]]>([
    ['all shards answered', { shards: { successful: 5, total: 5 } }, shards, ['end-signalled']],
    ['a shard is missing', { shards: { successful: 4, total: 5 } }, shards, ['end-signalled', 'sub-source-unreachable']],
    ['every provider is ok', { outcomes: { a: 'ok', b: 'ok' } }, providers, ['end-signalled']],
    ['a provider timed out', { outcomes: { a: 'ok', b: 'timeout' } }, providers, ['end-signalled', 'sub-source-unreachable']],
    ['a provider is not there', { outcomes: { a: 'ok' } }, providers, ['end-signalled', 'sub-source-unreachable']],
    ['the filter comes back as sent', { account: 'ACC-000001' }, { path: '/account', sameAsSent: { query: 'account' } }, ['end-signalled']],
    [
      'the filter comes back changed',
      { account: 'all' },
      { path: '/account', sameAsSent: { query: 'account' } },
      ['end-signalled', 'sub-source-unreachable'],
    ],
    ['the flag is not there', {}, shards, ['metadata-missing']],
  ])('%s', async (_what, body, flag, expected) => {
    expect(said(await flagged(body, flag))).toEqual(expected);
  });

  const total = (changes: object): Change => ({
    total: {
      path: '/total',
      relation: 'exact',
      counts: 'all',
      firstPageOnly: false,
      optional: false,
      countedBeforeAccess: false,
      ...changes,
    },
  });
  it.each<[string, object, object, readonly string[]]>([
    ['an exact total that was read', { total: 1 }, {}, ['end-signalled']],
    ['an exact total beyond what was read', { total: 2 }, {}, ['end-signalled', 'total-mismatch']],
    [
      'a lower bound beyond what was read',
      { total: 10_000, relation: 'gte' },
      { relationAt: { path: '/relation', exact: ['eq'] } },
      ['end-signalled', 'total-mismatch'],
    ],
    [
      'a total that says of itself that it is exact',
      { total: 1, relation: 'eq' },
      { relationAt: { path: '/relation', exact: ['eq'] } },
      ['end-signalled'],
    ],
    ['a total counted before access rules', { total: 13 }, { countedBeforeAccess: true }, ['end-signalled', 'visibility-limited']],
    ['a total of the page alone', { total: 9 }, { counts: 'page' }, ['end-signalled']],
    ['an estimate', { total: 201 }, { relation: 'estimate' }, ['end-signalled']],
    ['an exact total that is not there', {}, {}, ['metadata-missing']],
    ['an optional total that is not there', {}, { optional: true }, ['end-signalled']],
  ])('%s', async (_what, body, changes, expected) => {
    expect(said(await answer({ items: items(1), ...body }, total(changes)))).toEqual(expected);
  });

  it.each([
    [2, ['end-signalled']],
    [3, ['cap-reached']],
  ] as const)('%i records under a cap of 3', async (count, expected) => {
    const caps = [{ unit: 'page-records', value: 3, overflow: 'silent-stop' }] as const;
    expect(said(await answer({ items: items(...[1, 2, 3].slice(0, count)) }, { caps }))).toEqual(expected);
  });

  // Fails if a lookup whose filter was ignored reads as one that found nothing.
  it('a row that differs in what was sent as a filter shows that the filter was ignored', async () => {
    const { contract } = aHttpRegister().source;
    const lookup = {
      method: 'exact-lookup',
      contract: { ...contract, comparison: { account: { by: 'equality', normalise: [] } } },
    } as const;
    const body = (account: string) => ({ items: [anItem(1, { account })] });
    const ask = (account: string) => read((_url, response) => sendJson(response, body(account)), single, lookup);
    expect(said(await ask('ACC-000001'))).toEqual(['end-signalled']);
    await source.close();
    expect(said(await ask('ACC-000002'))).toEqual(['end-signalled', 'filter-not-applied']);
  });

  it('rows out of the order that was promised are a doubt', async () => {
    const order = { by: '/id', compare: 'text', direction: 'ascending' } as const;
    expect(said(await answer({ items: items(1, 2) }, { order }))).toEqual(['end-signalled']);
    await source.close();
    expect(said(await answer({ items: items(2, 1) }, { order }))).toEqual(['end-signalled', 'order-unproven']);
  });

  it('an error that a 200 carries, and any status that the contract knows, have their reason', async () => {
    const errors = [
      { path: '/ok', values: [false], reason: 'error-in-success' as const },
      { status: [400], path: '/code', values: ['CURSOR'], reason: 'cursor-expired' as const },
    ];
    expect(said(await answer({ ok: false, items: [] }, { errors }))).toEqual(['error-in-success']);
    await source.close();
    expect(said(await read((_url, response) => sendJson(response, { code: 'CURSOR' }, 400), { ...single, errors }))).toEqual([
      'cursor-expired',
    ]);
  });
});

describe('a request', () => {
  it('carries a credential that is never written down', async () => {
    const seen: unknown[] = [];
    const script: Script = (_url, response, request) => {
      seen.push(request.headers['authorization']);
      sendJson(response, { items: [] });
    };
    const auth = { kind: 'basic', user: { env: 'U' }, password: { env: 'P' } } as const;
    const { pages } = await read(script, { ...single, auth });
    expect(seen).toEqual([`Basic ${Buffer.from(`${source.url}:${source.url}`).toString('base64')}`]);
    expect(JSON.stringify(pages)).not.toContain(String(seen[0]).slice(6));
  });

  // Fails if a token is given to whoever knows the client's name: another secret must be refused by the token endpoint itself.
  it('gets a token for its own secret alone, and keeps it while it lasts', async () => {
    const asked: string[] = [];
    const script: Script = (url, response, request) => {
      if (url.pathname !== '/token') return sendJson(response, { items: [], seen: request.headers['authorization'] });
      const given = Buffer.from((request.headers['authorization'] ?? '').slice(6), 'base64').toString();
      asked.push(given);
      return given === 'client:right' ? sendJson(response, { access_token: 't', expires_in: 3600 }) : sendJson(response, {}, 401);
    };
    source = await scriptedSource(script);
    const part = (env: string) => ({ env });
    const auth = {
      kind: 'oauth2-client-credentials',
      tokenUrl: part('T'),
      clientId: part('C'),
      clientSecret: part('S'),
      clientAuth: 'basic',
    } as const;
    const register = aHttpRegister({ ...bare, ...single, auth }, { drift: 'documented' });
    const ask = (secret: string) => {
      const values: Readonly<Record<string, string>> = { T: `${source.url}/token`, C: 'client', S: secret };
      const secrets = (reference: object) => ('env' in reference ? (values[String(reference.env)] ?? source.url) : null);
      return attempt(register, { secrets, hosts: [source.host], identifiers: askedFor('INV-2024-00999') });
    };
    expect(said(await ask('right'))).toEqual(['end-signalled']);
    expect(said(await ask('wrong'))).toEqual(['source-forbidden']);
    expect(said(await ask('right'))).toEqual(['end-signalled']);
    expect(asked).toEqual(['client:right', 'client:wrong']);
  });

  it('is not sent with a value that its query language would read as its own', async () => {
    const request = (template: string) => ({
      method: 'GET' as const,
      path: '/search',
      query: { q: { template, escape: 'backslash' as const, unsafe: '-' } },
      headers: {},
    });
    expect(
      said(await read((_url, response) => sendJson(response, { items: [] }), { ...single, request: request('ref:"{reference}"') })),
    ).toEqual(['value-unsafe']);
    expect(source.asked).toEqual([]);
    await source.close();
    const other = aHttpRegister().register.identifiers;
    expect(Object.keys(other)).toContain('account');
  });

  it('is repeated where that cannot skip a page, and nowhere else', async () => {
    let asked = 0;
    const failsOnce: Script = (_url, response) => sendJson(response, { items: [] }, (asked += 1) === 1 ? 503 : 200);
    const retries = { retriesMax: 2, delayMs: 1, delayMsMax: 5 };
    expect(said(await read(failsOnce, { ...single, retries }))).toEqual(['end-signalled']);
    await source.close();
    const onCursor: Script = (url, response) =>
      url.searchParams.has('cursor') ? sendJson(response, {}, 503) : sendJson(response, { items: items(1), next_cursor: 'c' });
    expect(said(await read(onCursor, { paging: byCursor({ replay: 'consuming' }), retries }))).toEqual(['source-unavailable']);
    expect(source.asked).toHaveLength(2);
    await source.close();
    await read(onCursor, { paging: byCursor({ replay: 'replayable' }), retries });
    expect(source.asked).toHaveLength(4);
  });

  it('waits for a job, and holds when it does not end', async () => {
    let looks = 0;
    const script: Script = (_url, response) => sendJson(response, (looks += 1) < 3 ? { done: false } : { done: true, items: [] });
    const state = { path: '/done', finished: [true], running: [false], pollDelayMs: 1, pollsMax: 5 };
    expect(said(await read(script, { ...single, state }))).toEqual(['end-signalled']);
    await source.close();
    expect(said(await read((_url, response) => sendJson(response, { done: false }), { ...single, state }))).toEqual(['job-unfinished']);
  });

  it('opens a point in time, uses it and closes it', async () => {
    const script: Script = (url, response) => sendJson(response, url.pathname === '/pit' ? { id: 'p1' } : { items: [] });
    const part = { query: {}, headers: {} };
    const open = { method: 'POST' as const, path: '/pit', ...part, take: { pit: '/id' }, flags: [] };
    const request = { method: 'GET' as const, path: '/search', headers: {}, query: { pit: { opened: 'pit' } } };
    const close = { method: 'GET' as const, path: '/end', headers: {}, query: { pit: { opened: 'pit' } } };
    expect(said(await read(script, { ...single, open, request, close }))).toEqual(['end-signalled']);
    expect(source.asked).toEqual(['/pit?', '/search?pit=p1', '/end?pit=p1'].map((path) => path.replace(/\?$/, '')));
  });
});

describe('a body', () => {
  const typed =
    (type: string, body: string): Script =>
    (_url, response) =>
      void response.writeHead(200, { 'content-type': type }).end(body);

  it('of JSON lines is a list, and one whose last line does not end is none', async () => {
    const lines = items(1, 2).map((item) => JSON.stringify(item));
    const connect: Change = { ...single, format: 'json-lines', items: '' };
    expect(said(await read(typed('application/x-ndjson', `${lines.join('\n')}\n`), connect))).toEqual(['end-signalled']);
    await source.close();
    expect(said(await read(typed('application/x-ndjson', lines.join('\n')), connect))).toEqual(['response-invalid']);
  });

  it('of an event stream is its one response', async () => {
    const message = (result: unknown) => `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result })}\n\n`;
    const stream = `data: {"jsonrpc":"2.0","method":"notifications/progress"}\n\n${message({ items: [] })}`;
    const connect: Change = { ...single, format: 'event-stream', items: '/result/items' };
    expect(said(await read(typed('text/event-stream', stream), connect))).toEqual(['end-signalled']);
    await source.close();
    expect(said(await read(typed('text/event-stream', stream + message({ items: [] })), connect))).toEqual(['response-invalid']);
  });

  it('that holds its answer as text is read, and prose is no answer', async () => {
    const connect: Change = { unwrap: { path: '/content/0/text', into: '/parsed' }, items: '/parsed/items' };
    expect(said(await answer({ content: [{ text: '{"items":[]}' }] }, connect))).toEqual(['end-signalled']);
    await source.close();
    expect(said(await answer({ content: [{ text: 'No results found.' }] }, connect))).toEqual(['response-invalid']);
  });

  it('of GraphQL with errors is no page', async () => {
    const graphql = { query: 'query($account: String) { items }', variables: { account: { $identifier: 'account' } } };
    const request = { method: 'POST' as const, path: '/graphql', query: {}, headers: {}, graphql };
    expect(said(await answer({ items: [] }, { request }))).toEqual(['end-signalled']);
    await source.close();
    expect(said(await answer({ items: [], errors: [{ message: 'x' }] }, { request }))).toEqual(['error-in-success']);
  });
});
