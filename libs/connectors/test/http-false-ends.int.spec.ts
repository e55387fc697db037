/** Answers that look like an end and are none: each of these once read as a whole that holds nothing. */
import { afterEach, describe, expect, it } from 'vitest';
import type { DocumentSource, HttpConnect } from '../kit/index.js';
import { attempt } from './attempts.js';
import { askedFor, aHttpRegister } from './registers.js';
import { anItem, scriptedSource, sendJson, type Item, type ScriptedSource } from './scripted-source.js';

let source: ScriptedSource;
afterEach(() => source.close());

type Script = Parameters<typeof scriptedSource>[0];
type Change = Partial<HttpConnect>;

const read = async (script: Script, connect: Change, rule: Partial<DocumentSource> = {}): Promise<readonly string[]> => {
  source = await scriptedSource(script);
  const register = aHttpRegister({ total: undefined, end: [{ by: 'no-next-cursor' }], ...connect }, { drift: 'documented', ...rule });
  const settings = { url: source.url, hosts: [source.host], identifiers: askedFor('INV-2024-00999') };
  const { outcome } = await attempt(register, settings);
  return [outcome.stopReason, ...outcome.doubts];
};

const always =
  (body: unknown): Script =>
  (_url, response) =>
    sendJson(response, body);
const range = (from: number, count: number): Item[] => Array.from({ length: count }, (_each, at) => anItem(from + at));
const single: Change = { paging: { kind: 'none' }, end: [{ by: 'single-answer', documentedAt: 'https://example.org' }] };
const numbered = (kind: 'page' | 'offset', size: number): Change['paging'] =>
  ({
    kind,
    send: { in: 'query', name: 'at' },
    first: kind === 'page' ? 1 : 0,
    pageSize: { send: { in: 'query', name: 'size' }, size },
    ...(kind === 'offset' ? { overlap: 0 } : {}),
  }) as Change['paging'];
const byMore: HttpConnect['end'] = [{ by: 'flag', path: '/has_more', ends: [false], continues: [true] }];
const numberOf = (url: URL): number => Number(url.searchParams.get('at'));

describe('a list that is left out', () => {
  // Fails if whatever has no list reads as one that is empty.
  it.each<[string, unknown, string, string]>([
    ['an object without it is nothing', {}, '/items', 'end-signalled'],
    ['null is no answer', null, '/items', 'response-invalid'],
    ['a text is no answer', 'please log in', '/items', 'response-invalid'],
    ['another list is no answer', [], '/items', 'response-invalid'],
    ['an object whose holder is null is no answer', { data: null }, '/data/items', 'response-invalid'],
    ['an object without the holder is no answer', { message: 'maintenance' }, '/data/items', 'response-invalid'],
    ['a holder without it is nothing', { data: {} }, '/data/items', 'end-signalled'],
  ])('%s', async (_what, body, items, expected) => {
    expect(await read(always(body), { ...single, items, itemsAbsent: 'empty' })).toEqual([expected]);
  });
});

describe('a cap of positions', () => {
  const caps: HttpConnect['caps'] = [{ unit: 'offset', value: 30, overflow: 'silent-stop' }];

  // Fails if the position is the number of rows that came: rows that access rules leave out keep it below the cap.
  it('is touched by what was asked for, although rows are missing from the pages', async () => {
    const script: Script = (url, response) => sendJson(response, { items: range(numberOf(url) * 10, 9), has_more: numberOf(url) < 3 });
    expect(await read(script, { paging: numbered('page', 10), end: byMore, caps })).toEqual(['cap-reached']);
  });

  it('is not touched below it', async () => {
    const script: Script = (url, response) => sendJson(response, { items: range(numberOf(url) * 10, 9), has_more: numberOf(url) < 2 });
    expect(await read(script, { paging: numbered('page', 10), end: byMore, caps })).toEqual(['end-signalled']);
  });

  it('counts an offset from what was asked', async () => {
    const script: Script = (url, response) =>
      sendJson(response, { items: range(numberOf(url), numberOf(url) === 20 ? 4 : 10), has_more: numberOf(url) < 20 });
    expect(await read(script, { paging: numbered('offset', 10), end: byMore, caps })).toEqual(['cap-reached']);
  });
});

describe('an end that is said', () => {
  const present: Change = { end: [{ by: 'present', path: '/delta' }] };

  // Fails if a link that is there without a target ends a read.
  it.each<[unknown, string]>([
    ['https://example.org/delta', 'end-signalled'],
    ['', 'metadata-missing'],
    [false, 'metadata-missing'],
    [0, 'metadata-missing'],
  ])('by a member that is %j: %s', async (delta, expected) => {
    expect(await read(always({ items: range(1, 2), delta, next_cursor: null }), present)).toEqual([expected]);
  });

  // Fails if a number of pages that was never counted ends a read at its first page.
  it.each<[number, number, string]>([
    [1, 2, 'end-signalled'],
    [0, 0, 'end-signalled'],
    [0, 2, 'metadata-missing'],
  ])('by %i pages with %i records: %s', async (pages, records, expected) => {
    const end: HttpConnect['end'] = [{ by: 'page-count', path: '/pages' }];
    expect(await read(always({ items: range(1, records), pages }), { paging: numbered('page', 10), end })).toEqual([expected]);
  });

  // Fails if a page that came back empty by mistake is passed over, and what stood on it with it.
  it.each(['page', 'offset'] as const)('behind an empty page by %s that says there is more is a contradiction', async (kind) => {
    const script: Script = (url, response) => {
      const at = numberOf(url);
      const [second, third] = kind === 'page' ? [2, 3] : [10, 20];
      sendJson(response, { items: at === second ? [] : range(at * 10, 10), has_more: at < third });
    };
    expect(await read(script, { paging: numbered(kind, 10), end: byMore })).toEqual(['end-signals-conflict']);
  });

  // Fails if a documented cursor is believed although its second page is the first one again, in another order.
  it('behind a page whose records all came before is in doubt under every drift rule', async () => {
    const script: Script = (url, response) =>
      url.searchParams.has('cursor')
        ? sendJson(response, { items: range(1, 5).reverse(), next_cursor: null })
        : sendJson(response, { items: range(1, 5), next_cursor: 'b' });
    expect(await read(script, {})).toEqual(['end-signalled', 'order-unproven']);
  });
});

describe('what is no error', () => {
  // Fails if a member that is null holds every good answer.
  it.each<[unknown, string]>([
    [null, 'end-signalled'],
    ['down', 'error-in-success'],
    [{ code: 1 }, 'error-in-success'],
  ])('an error that is %j: %s', async (error, expected) => {
    const errors: HttpConnect['errors'] = [{ path: '/error', reason: 'error-in-success' }];
    expect(await read(always({ items: [], error }), { ...single, errors })).toEqual([expected]);
  });

  // Fails if an error beside a text that is no JSON loses the reason that the contract has for it.
  it('an error beside prose keeps its reason', async () => {
    const errors: HttpConnect['errors'] = [{ path: '/isError', values: [true], reason: 'error-in-success' }];
    const unwrap = { path: '/content/0/text', into: '/data' };
    const body = { isError: true, content: [{ text: 'Tool failed' }] };
    expect(await read(always(body), { ...single, unwrap, items: '/data/items', errors })).toEqual(['error-in-success']);
  });

  // Fails if two rows within one millisecond are taken as equal, or the later one as the earlier.
  it.each<[string, string, readonly string[]]>([
    ['2024-01-01T00:00:00.000001Z', '2024-01-01T00:00:00.000002Z', ['end-signalled']],
    ['2024-01-01T00:00:00.1+00:00', '2024-01-01T00:00:00.10+00:00', ['end-signalled', 'order-unproven']],
    ['2024-01-01T00:00:00.9Z', '2024-01-01T00:00:01Z', ['end-signalled']],
    ['2024-01-01T00:00:00.000002Z', '2024-01-01T00:00:00.000001Z', ['end-signalled', 'order-unproven']],
  ])('%s before %s', async (one, other, expected) => {
    const order: HttpConnect['order'] = { by: '/at', compare: 'instant', direction: 'ascending' };
    const rows = [one, other].map((at, index) => ({ ...anItem(index), at }));
    expect(await read(always({ items: rows }), { ...single, order })).toEqual(expected);
  });
});
