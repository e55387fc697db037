/** A contract tried on a live source that keeps it, and on sources that each break one of its statements. */
import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { checkContract, type CheckInputs, type ContractCheck } from '../kit/index.js';
import { aSourceOf, parsedContract, type Fields } from './a-contract.js';
import { scriptedSource, sendJson, type ScriptedSource } from './scripted-source.js';

let source: ScriptedSource | null = null;
afterEach(async () => {
  await source?.close();
  source = null;
});

type Script = (url: URL, response: ServerResponse) => void;

const connect: Fields = {
  byId: { path: '/things/{id}' },
  paging: { kind: 'cursor', send: 'cursor', pageSize: { send: 'limit', size: 2 }, next: '/next', noCursor: ['null'], replay: 'replayable' },
  end: [{ by: 'no-next-cursor' }, { by: 'flag', path: '/more', ends: [false], continues: [true] }],
  total: { path: '/total', relation: 'exact' },
  snapshot: '/snapshot',
  order: { by: '/id', compare: 'text' },
  flags: [{ path: '/partial', clean: [false] }],
  caps: [{ unit: 'records', value: 4 }],
};

const thing = (number: number): Fields => ({ id: `t${number}`, account: 'A', reference: `r${number}` });

interface Page {
  readonly [member: string]: unknown;
}

const PAGES: Readonly<Record<string, Page>> = {
  '': { items: [thing(1), thing(2)], next: 'b', more: true, total: 3, snapshot: 's', partial: false },
  b: { items: [thing(3)], next: null, more: false, total: 3, snapshot: 's', partial: false },
};

/** The pages with some members of some of them changed. */
const serving =
  (changes: Readonly<Record<string, Page>> = {}, byId = true): Script =>
  (url, response) => {
    const [, id] = /^\/things\/(.+)$/.exec(url.pathname) ?? [];
    if (id !== undefined) {
      const known = byId && ['t1', 't2', 't3'].includes(id);
      return sendJson(response, known ? thing(Number(id.slice(1))) : {}, known || !byId ? 200 : 404);
    }
    const cursor = url.searchParams.get('cursor') ?? '';
    sendJson(response, { ...PAGES[cursor], ...changes[cursor] });
  };

const check = async (script: Script, more: Fields = {}, inputs: Partial<CheckInputs> = {}): Promise<ContractCheck> => {
  source = await scriptedSource(script);
  const { url, host } = source;
  const parsed = parsedContract(aSourceOf({}, { ...connect, ...more }), { allowWeak: true });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const [rule] = parsed.register.sources;
  return checkContract({
    register: parsed.register,
    source: rule as CheckInputs['source'],
    identifiers: [{ name: 'account', value: 'A' }],
    secrets: () => url,
    egress: { hosts: new Set([host]), networks: [] },
    clock: { now: () => new Date() },
    pagesMax: 5,
    signal: new AbortController().signal,
    ...inputs,
  });
};

const pathsSeen = ({ statements }: ContractCheck, which: string): readonly string[] =>
  statements.filter(({ seen }) => seen === which).map(({ path }) => path);

describe('a contract tried on its source', () => {
  it('is seen to be true where the source keeps it', async () => {
    const checked = await check(serving());
    expect(checked).toMatchObject({ pages: 2, records: 3, stopped: 'the end was signalled' });
    expect(pathsSeen(checked, 'false')).toEqual([]);
    expect(pathsSeen(checked, 'true')).toEqual(
      expect.arrayContaining([
        '/connect/items',
        '/connect/record/id',
        '/connect/record/fields/reference',
        '/connect/paging/next',
        '/connect/paging/pageSize',
        '/connect/paging/replay',
        '/connect/end/0',
        '/connect/end/1',
        '/connect/total',
        '/connect/snapshot',
        '/connect/order',
        '/connect/flags/0',
        '/connect/byId',
      ]),
    );
    expect(pathsSeen(checked, 'not-tried')).toEqual(expect.arrayContaining(['/lagMaxMs', '/drift', '/visibility', '/connect/caps/0']));
  });

  // Each fails if a source that breaks the statement is passed as keeping it.
  it.each<[string, Readonly<Record<string, Page>>, string]>([
    ['has no list', { b: { items: undefined } }, '/connect/items'],
    ['gives a record twice', { b: { items: [thing(1)], total: 3 } }, '/connect/record/id'],
    ['leaves out an id', { b: { items: [{ account: 'A', reference: 'x' }] } }, '/connect/record'],
    ['leaves out a field', { b: { items: [{ id: 't3', account: 'A' }] } }, '/connect/record/fields/reference'],
    ['ignores the filter', { b: { items: [{ ...thing(3), account: 'B' }] } }, '/comparison/account'],
    ['ends with a value that the contract does not name', { b: { next: undefined } }, '/connect/paging/next'],
    ['allows fewer records than asked for', { '': { items: [thing(1)] } }, '/connect/paging/pageSize'],
    ['gives more records than asked for', { '': { items: [thing(1), thing(2), thing(4)] } }, '/connect/paging/pageSize'],
    ['contradicts itself about the end', { '': { more: false } }, '/connect/end/1'],
    ['has another value in the end’s flag', { b: { more: 'no' } }, '/connect/end/1'],
    ['counts more than there are', { '': { total: 9 }, b: { total: 9 } }, '/connect/total'],
    ['counts fewer than there are', { '': { total: 1 }, b: { total: 1 } }, '/connect/total'],
    ['changes its snapshot', { b: { snapshot: 't' } }, '/connect/snapshot'],
    ['has no snapshot', { b: { snapshot: null } }, '/connect/snapshot'],
    ['is out of order', { '': { items: [thing(2), thing(1)] } }, '/connect/order'],
    ['leaves out a flag', { b: { partial: undefined } }, '/connect/flags/0'],
  ])('is seen to be false where the source %s', async (_name, changes, path) => {
    expect(pathsSeen(await check(serving(changes)), 'false')).toContain(path);
  });

  it('is seen to be false where a page asked for again is another, or a record is there that cannot be', async () => {
    let asked = 0;
    const consuming: Script = (url, response) => {
      const isSecond = url.searchParams.get('cursor') === 'b';
      asked += isSecond ? 1 : 0;
      return serving(isSecond && asked > 1 ? { b: { items: [thing(9)] } } : {})(url, response);
    };
    expect(pathsSeen(await check(consuming), 'false')).toEqual(['/connect/paging/replay']);
    await source?.close();
    expect(pathsSeen(await check(serving({}, false)), 'false')).toContain('/connect/byId');
    await source?.close();
    expect(pathsSeen(await check(serving(), { caps: [{ unit: 'records', value: 2 }] }), 'false')).toContain('/connect/caps/0');
  });

  // Fails if a page of a consuming cursor is asked for again: the check itself would lose it.
  it('asks for no page again whose cursor is consumed', async () => {
    const paging = { ...(connect['paging'] as Fields), replay: 'consuming' };
    const checked = await check(serving(), { paging });
    expect(source?.asked.filter((path) => path.includes('cursor=b'))).toHaveLength(1);
    expect(pathsSeen(checked, 'not-tried')).toContain('/connect/paging/replay');
  });

  it('is read for as many pages as are allowed, and its end is then not tried', async () => {
    const checked = await check(serving(), {}, { pagesMax: 1 });
    expect(checked).toMatchObject({ pages: 1, stopped: 'as many pages were read as were allowed' });
    expect(pathsSeen(checked, 'not-tried')).toEqual(expect.arrayContaining(['/connect/end/0', '/connect/total']));
  });

  it('of a source that cannot be reached says nothing but why', async () => {
    const checked = await check(serving(), {}, { egress: { hosts: new Set(), networks: [] } });
    expect(checked).toMatchObject({ pages: 0, stopped: expect.stringContaining('source-forbidden') });
    expect(pathsSeen(checked, 'true')).toEqual([]);
  });
});
