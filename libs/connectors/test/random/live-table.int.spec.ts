/**
 * A table of PostgreSQL that rows are inserted into, deleted from and moved within while it is walked, in each way that a contract may excuse
 * itself. The wanted record stands in it from before the walk to its end, or never.
 * 1. No unsupported no-match, whatever the way.
 * 2. How many holds were needless is printed: a record that is not there, and nothing but movement to hold for.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { decide } from '@lacuna/evidence';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashedRegister, parseRegisterFile, PostgresPools, search } from '../../kit/index.js';
import { aRegisterText } from '../a-contract.js';
import { testDatabase, type TestDatabase } from '../test-database.js';

const ROWS = 120;
const PAGE = 20;
const WALKS_OF_EACH = 400;
/** One change after another, with a pause of up to so long. */
const PAUSE_MS_MAX = 25;
const WANTED = 'K-1';
const DOC = 'https://example.org/docs';
const WAYS = ['offset', 'keyset', 'overlap', 'second-pass', 'second-pass-by-rank', 'snapshot'] as const;
type Way = (typeof WAYS)[number];

let database: TestDatabase;
let pool: pg.Pool;
let pools: PostgresPools;
let server: Server;
let origin: string;

beforeAll(async () => {
  database = await testDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 4 });
  pools = new PostgresPools();
  await database.owner.query(`
    create schema live;
    create table live.item (id bigint primary key, rank double precision not null, key text not null);
    create index on live.item (rank, id)`);
  await database.owner.query('insert into live.item select n * 10, random(), $1 || n from generate_series(1, $2::int) n', ['other-', ROWS]);
  server = createServer((request, response) => void answer(request, response).catch((error: unknown) => response.destroy(error as Error)));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await pools.close();
  await pool.end();
  await database.drop();
});

/** `/rank`: pages by offset of an order that changes. `/id`: pages by offset, or behind an id, of an order that does not. */
const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://live');
  const limit = Number(searchParams.get('limit'));
  const after = searchParams.get('after');
  const where = after === null ? '' : `where id > ${Number(after)}`;
  // Of the table, not of the text that is selected under the same name.
  const order = pathname === '/rank' ? 'rank, item.id' : 'item.id';
  const offset = Number(searchParams.get('offset') ?? 0);
  const { rows } = await pool.query(`select id::text, key from live.item ${where} order by ${order} limit ${limit + 1} offset ${offset}`);
  const body = { items: rows.slice(0, limit), more: rows.length > limit };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

const short = (pageSizeMax: number): object => ({ by: 'short-page', documentedAt: DOC, pageSizeMax });
const offsets = (path: string, size: number, overlap = 0): object => ({
  request: { path },
  paging: { kind: 'offset', send: 'offset', overlap, pageSize: { send: 'limit', size } },
  end: [short(size)],
});
const CONNECTS: Readonly<Record<Exclude<Way, 'snapshot'>, object>> = {
  offset: offsets('/rank', PAGE),
  'second-pass': { ...offsets('/id', PAGE), order: { by: '/id', compare: 'number' } },
  // Nobody attests that records keep their places, for they do not.
  'second-pass-by-rank': offsets('/rank', PAGE),
  overlap: { ...offsets('/id', PAGE + 1, 1), order: { by: '/id', compare: 'number' } },
  keyset: {
    request: { path: '/id' },
    paging: { kind: 'cursor', send: 'after', next: { lastRow: '/id' }, pageSize: { send: 'limit', size: PAGE } },
    end: [{ by: 'flag', path: '/more', ends: [false], continues: [true] }],
    order: { by: '/id', compare: 'number' },
  },
};

const connectOf = (way: Way): object =>
  way === 'snapshot'
    ? {
        type: 'postgres',
        url: { env: 'LIVE_DB' },
        table: { schema: 'live', name: 'item' },
        id: 'id',
        fields: { key: 'key' },
        pageSize: PAGE,
      }
    : { type: 'http', url: { env: 'LIVE_URL' }, items: '/items', record: { id: '/id', fields: { key: '/key' } }, ...CONNECTS[way] };

const registerOf = (way: Way) => {
  const source = {
    name: 'live',
    method: 'enumeration',
    authority: 'original',
    lagMaxMs: 0,
    drift: way === 'offset' ? 'none' : way === 'second-pass-by-rank' ? 'second-pass' : way,
    attestation: { by: 'desk', until: '2100-01-01T00:00:00.000Z' },
    connect: connectOf(way),
  };
  const text = aRegisterText(source, {
    identifiers: { key: { kind: 'key', normalise: [] } },
    freshnessMs: 3_600_000,
    clockSkewMaxMs: 0,
    attempts: { attemptsMax: 1, elapsedMsMax: 60_000 },
  });
  const parsed = parseRegisterFile(text, 'live.yaml', { allowWeak: true });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return hashedRegister(parsed.register);
};

/** Inserts, deletes and moves until told to stop. The wanted record is moved as well, and never deleted; no other gets its id. */
const change = async (signal: AbortSignal): Promise<number> => {
  let changes = 0;
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const other = `(select id from live.item where key <> '${WANTED}' order by random() limit 1)`;
  const statements = [
    () =>
      client.query(
        `insert into live.item values (${Math.floor(Math.random() * ROWS) * 10 + 3}, random(), 'other-new') on conflict do nothing`,
      ),
    () => client.query(`delete from live.item where id = ${other} and (select count(*) from live.item) > ${ROWS - 10}`),
    () => client.query('update live.item set rank = random() where id = (select id from live.item order by random() limit 1)'),
    () => client.query(`update live.item set rank = case when rank > 0.5 then 0 else 1 end where key = '${WANTED}'`),
  ];
  while (!signal.aborted) {
    await statements[Math.floor(Math.random() * statements.length)]?.();
    changes += 1;
    await delay(Math.random() * PAUSE_MS_MAX);
  }
  await client.end();
  return changes;
};

interface Tally {
  unsupported: number;
  found: number;
  missed: number;
  supported: number;
  needless: number;
  naive: number;
}

const walksOf = async (way: Way): Promise<Tally> => {
  const register = registerOf(way);
  const tally: Tally = { unsupported: 0, found: 0, missed: 0, supported: 0, needless: 0, naive: 0 };
  const reach = {
    secrets: (reference: object) => ('env' in reference && reference.env === 'LIVE_DB' ? database.url : origin),
    egress: { hosts: new Set([new URL(origin).host]), networks: [] },
    connections: pools,
  };
  for (let walk = 0; walk < WALKS_OF_EACH; walk += 1) {
    const isThere = walk % 2 === 0;
    await database.owner.query(
      isThere
        ? `insert into live.item values (605, random(), '${WANTED}') on conflict do nothing`
        : `delete from live.item where key = '${WANTED}'`,
    );
    const { rows: standing } = await database.owner.query('select from live.item where key = $1', [WANTED]);
    expect(standing.length).toBe(isThere ? 1 : 0);
    const { evidence, pages } = await search({ register, question: { identifiers: [{ name: 'key', value: WANTED }] }, reach });
    const { verdict } = decide(evidence, register, new Date().toISOString());
    if (isThere && verdict === 'scoped-no-match') tally.unsupported += 1;
    if (isThere && verdict === 'match-review') tally.found += 1;
    if (isThere && verdict === 'evidence-hold') tally.missed += 1;
    if (!isThere && verdict === 'scoped-no-match') tally.supported += 1;
    if (!isThere && verdict === 'evidence-hold') tally.needless += 1;
    // What simple code says after the first pass.
    if (isThere && pages.filter(({ pass }) => pass === 1).every(({ rows }) => rows.length === 0)) tally.naive += 1;
  }
  return tally;
};

describe('a table that moves while it is walked', () => {
  it(`gives no unsupported no-match in ${WAYS.length * WALKS_OF_EACH} walks`, async () => {
    const stop = new AbortController();
    const changing = change(stop.signal);
    const tallies = new Map<Way, Tally>();
    try {
      for (const way of WAYS) tallies.set(way, await walksOf(way));
    } finally {
      stop.abort();
    }
    const changes = await changing;
    const percent = (part: number, whole: number): string => `${((100 * part) / Math.max(whole, 1)).toFixed(1)} %`.padStart(8);
    const lines = [...tallies].map(
      ([way, { unsupported, found, missed, supported, needless, naive }]) =>
        `${way.padEnd(20)} ${String(unsupported).padStart(11)} ${percent(found, found + missed)} ${percent(needless, needless + supported)} ${String(naive).padStart(12)}`,
    );
    process.stdout.write(`${changes} changes\nway                  unsupported    found needless  naive misses\n${lines.join('\n')}\n`);
    expect([...tallies.values()].map(({ unsupported }) => unsupported)).toEqual(WAYS.map(() => 0));
    // Fails if a way that needs no proof of its own begins to hold.
    expect(tallies.get('keyset')?.needless).toBe(0);
    expect(tallies.get('snapshot')?.needless).toBe(0);
    // Fails if the table no longer moves enough to be missed by code that believes one pass.
    const missedByOffsets = (tallies.get('offset')?.naive ?? 0) + (tallies.get('second-pass-by-rank')?.naive ?? 0);
    expect(missedByOffsets).toBeGreaterThan(0);
  }, 600_000);
});
