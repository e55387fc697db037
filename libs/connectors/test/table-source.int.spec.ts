import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PostgresPools, type SourceReader } from '../kit/index.js';
import { attempt } from './attempts.js';
import { askedFor, aTableRegister } from './registers.js';
import { anItem } from './scripted-source.js';
import { createLookupIndexes, insertItems, testDatabase, type TestDatabase } from './test-database.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.owner.query('drop index if exists sample.service_request_lacuna_lookup, sample.service_request_lacuna_irregular');
  await database.owner.query('truncate sample.service_request');
});

const spellings = {
  'as asked': 'INV-2024-00123',
  'lower case': 'inv-2024-00123',
  'no dashes': 'INV202400123',
  slashes: 'INV/2024/00123',
  'spaces at the ends': '  INV-2024-00123  ',
  'a tab': 'INV\t2024-00123',
  'full-width digits': 'INV-２０２４-００１２３',
  'an en dash': 'INV–2024–00123',
  'a no-break space': 'INV\u00a02024\u00a000123',
  'a soft hyphen': 'INV\u00ad2024\u00ad00123',
} as const;

/** The lookup that people write first. */
const naiveReader = (url: string, reference: string, instance: string): SourceReader => {
  const rows = async () => {
    const { default: pg } = await import('pg');
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const found = await client.query('select * from sample.service_request where reference = $1 and instance = $2', [reference, instance]);
    await client.end();
    return found.rows.map((row) => ({ recordId: row.id, version: '1', status: row.status, followedTo: null, values: row }));
  };
  const hash = '0'.repeat(64);
  return {
    open: async () => ({ type: 'opened', method: 'exact-lookup' }),
    read: async () => ({
      type: 'page',
      rows: await rows(),
      observed: { bytes: 0, end: 'signalled', total: null, snapshot: null, reasons: [] },
      next: null,
      requestFingerprint: hash,
      cursorFingerprint: null,
      bodySha256: hash,
      startedAt: new Date().toISOString(),
      endedAt: new Date().toISOString(),
      status: null,
      remarks: null,
    }),
    close: async () => undefined,
  };
};

describe('an exact lookup', () => {
  // Fails if an index expression of ours is not what the server prints: every lookup would then quietly become an enumeration.
  it('is one page of one statement when both indexes are there', async () => {
    await createLookupIndexes(database.owner);
    await insertItems(database.owner, [anItem(1), anItem(2)]);
    const { outcome, pages } = await attempt(aTableRegister(), { url: database.url, identifiers: askedFor('INV-2024-00009') });
    expect(outcome).toMatchObject({ stopReason: 'end-signalled', doubts: [], pages: 1, matched: false, detail: null });
    expect(pages[0]).toMatchObject({ records: 0, end: 'signalled', remarks: { method: 'exact-lookup', in_recovery: false } });
  });

  // Fails if a spelling that the core calls equal is left out by the statement: that is a false "does not exist".
  it.each(Object.entries(spellings))('finds a record spelt with %s', async (_name, reference) => {
    await createLookupIndexes(database.owner);
    await insertItems(database.owner, [anItem(1, { reference }), anItem(2)]);
    const { outcome, pages } = await attempt(aTableRegister(), { url: database.url, identifiers: askedFor('INV-2024-00123') });
    expect(outcome).toMatchObject({ stopReason: 'end-signalled', matched: true });
    expect(pages[0]?.rows.map(({ recordId }) => recordId)).toEqual(['SR-0000001']);
  });

  // The negative control: through the same harness a lookup by `=` misses every spelling but the first, so the test above can fail.
  it('that compares by = misses every spelling but the one asked for', async () => {
    await insertItems(
      database.owner,
      Object.values(spellings).map((reference, at) => anItem(at + 1, { reference })),
    );
    const reader = naiveReader(database.url, 'INV-2024-00123', 'EU-1');
    const { outcome, pages } = await attempt(aTableRegister(), { reader, identifiers: askedFor('INV-2024-00123') });
    expect(outcome.stopReason).toBe('end-signalled');
    expect(pages[0]?.rows).toHaveLength(1);
  });

  // Fails if a row without a key is left out by the statement although the other key agrees: the core has to call it ambiguous.
  it.each([null, '', '--'])('reads a row whose instance is %j, which is ambiguous', async (instance) => {
    await createLookupIndexes(database.owner);
    await insertItems(database.owner, [anItem(1, { instance })]);
    const { outcome, pages } = await attempt(aTableRegister(), { url: database.url, identifiers: askedFor('INV-2024-00001') });
    expect(outcome.matched).toBe(false);
    expect(pages[0]?.rows[0]?.results).toMatchObject({ reference: 'agree', instance: 'missing' });
  });

  // Fails if the scope narrows by the raw text, or if a row whose account is odd is not read.
  it.each(['acc-000001', ' ACC-000001 ', 'ACC-０００００１', null])('reads a row of account %j', async (account) => {
    await createLookupIndexes(database.owner);
    await insertItems(database.owner, [anItem(1, { account: account as string }), anItem(1, { id: 'SR-2', account: 'ACC-000002' })]);
    const { pages } = await attempt(aTableRegister(), { url: database.url, identifiers: askedFor('INV-2024-00001') });
    expect(pages[0]?.rows.map(({ recordId }) => recordId)).toEqual(['SR-0000001']);
  });

  // Fails if the rows beyond the bound are cut, or if a few odd rows more than it hold every question.
  it('with more rows than its bound reads the same rows in pages', async () => {
    await createLookupIndexes(database.owner);
    const odd = [1, 2, 3, 4, 5].map((number) => anItem(number, { reference: 'É' }));
    await insertItems(database.owner, [...odd, anItem(6), anItem(7)]);
    const ask = (reference: string) =>
      attempt(aTableRegister({ lookupRowsMax: 3, pageSize: 2 }), { url: database.url, identifiers: askedFor(reference) });
    const { outcome, pages } = await ask('INV-1');
    expect(outcome).toMatchObject({ stopReason: 'end-signalled', matched: false, records: 5, pages: 3, doubts: [] });
    expect(pages[0]?.remarks).toMatchObject({ method: 'exact-lookup', paged_because: 'more rows than lookupRowsMax' });
    expect((await ask('INV-2024-00007')).outcome.matched).toBe(true);
  });

  // Fails if a scope narrows by a form in which rows differ that agree in the compared one: they would be left out.
  it.each(['exact-lookup', 'enumeration'] as const)(
    'or enumeration (%s) is not narrowed by a scope whose near form is narrower',
    async (method) => {
      const { register, source } = aTableRegister({}, { method });
      const account = { kind: 'scope', normalise: ['case-fold', 'strip-separators'], near: ['trim'] } as const;
      const changed = { register: { ...register, identifiers: { ...register.identifiers, account } }, source };
      await insertItems(database.owner, [anItem(1)]);
      const { outcome } = await attempt(changed, { url: database.url, identifiers: askedFor('INV-2024-00001', 'EU-1', 'acc000001') });
      expect(outcome.matched).toBe(true);
    },
  );

  // Fails if the irregular rows are found by reading the whole table: the index expression would not be the statement's.
  it('is answered by both indexes', async () => {
    await createLookupIndexes(database.owner);
    await database.owner.query(`
      insert into sample.service_request select 'SR-' || n, 1, 'ACC-' || lpad((n % 100)::text, 6, '0'), 'INV-' || n, 'EU-1', 'open', null
      from generate_series(1, 20000) n;
      analyze sample.service_request`);
    const { outcome } = await attempt(aTableRegister(), { url: database.url, identifiers: askedFor('INV-77') });
    expect(outcome.stopReason).toBe('end-signalled');
    const { rows } = await database.owner.query(await explainLookup());
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('service_request_lacuna_lookup');
    expect(plan).toContain('service_request_lacuna_irregular');
    expect(plan).not.toContain('Seq Scan');
  });
});

const explainLookup = async (): Promise<string> => {
  const { lookupStatement, tablePlan } = await import('../kit/sql/table-sql.js');
  const { register, source } = aTableRegister();
  const { text, values } = lookupStatement(tablePlan(register, source.connect), {
    account: 'ACC-000077',
    reference: 'INV-77',
    instance: 'EU-1',
  });
  return `explain ${values.reduce((sql, value, at) => sql.replaceAll(`$${at + 1}`, `'${value}'`), text)}`;
};

describe('an enumeration', () => {
  // Fails if a lookup without its index is still called a lookup, or loses a spelling.
  it('takes the place of a lookup whose index is missing, and says so', async () => {
    await createLookupIndexes(database.owner);
    await database.owner.query('drop index sample.service_request_lacuna_irregular');
    await insertItems(database.owner, [anItem(1), anItem(2), anItem(123, { reference: spellings['an en dash'] })]);
    const { outcome, pages } = await attempt(aTableRegister({ pageSize: 2 }), {
      url: database.url,
      identifiers: askedFor('INV-2024-00123'),
    });
    expect(pages[0]?.remarks).toMatchObject({ method: 'enumeration', no_lookup_because: 'an index is missing or not valid' });
    expect(outcome).toMatchObject({ stopReason: 'end-signalled', pages: 2, matched: true, doubts: [] });
  });

  // Fails if pages are read outside one snapshot: the row that is inserted after page one would be counted, or a deleted one skipped.
  it('sees neither an insert nor a delete that comes after its first page', async () => {
    await insertItems(
      database.owner,
      [1, 2, 3, 4].map((number) => anItem(number)),
    );
    const { outcome, pages } = await attempt(aTableRegister({ pageSize: 2 }, { method: 'enumeration' }), {
      url: database.url,
      identifiers: askedFor('INV-2024-00099'),
      onPage: async ({ sequence }) => {
        if (sequence > 0) return;
        await database.owner.query(`delete from sample.service_request where id in ('SR-0000001', 'SR-0000004')`);
        await insertItems(database.owner, [anItem(99)]);
      },
    });
    expect(outcome).toMatchObject({ stopReason: 'end-signalled', records: 4, matched: false, doubts: [] });
    expect(pages.map(({ records }) => records)).toEqual([2, 2]);
  });

  // Fails if a filtering policy is read as "no such rows": the worst of all answers.
  it('never ends where row-level security would hide rows', async () => {
    await insertItems(database.owner, [anItem(1)]);
    await database.owner.query(`
      alter table sample.service_request enable row level security, force row level security;
      create policy nothing on sample.service_request using (false)`);
    try {
      const { outcome } = await attempt(aTableRegister(), { url: database.url, identifiers: askedFor('INV-2024-00001') });
      expect(outcome).toMatchObject({ stopReason: 'source-forbidden', pages: 0 });
      expect(outcome.detail).toContain('42501');
    } finally {
      await database.owner.query(
        'drop policy nothing on sample.service_request; alter table sample.service_request disable row level security, no force row level security',
      );
    }
  });

  // Fails if an order that can skip rows of one id is trusted.
  it('over an id that is not unique leaves the doubt order-unproven', async () => {
    await insertItems(database.owner, [anItem(1), anItem(2)]);
    const { outcome } = await attempt(aTableRegister({ id: 'reference', pageSize: 1 }, { method: 'enumeration' }), {
      url: database.url,
      identifiers: askedFor('INV-2024-00099'),
    });
    expect(outcome).toMatchObject({ stopReason: 'end-signalled', doubts: ['order-unproven'] });
  });
});

describe('a merged record', () => {
  // Fails if the record that counts is not read, or if a chain of merges in a circle is walked for ever.
  it('is followed by id, in the same snapshot', async () => {
    await createLookupIndexes(database.owner);
    await insertItems(database.owner, [
      anItem(1, { status: 'merged', merged_into: 'SR-0000002' }),
      anItem(2, { reference: 'OTHER', status: 'merged', merged_into: 'SR-0000003' }),
      anItem(3, { reference: 'THIRD', status: 'open' }),
    ]);
    const { outcome, pages } = await attempt(aTableRegister(), { url: database.url, identifiers: askedFor('INV-2024-00001') });
    expect(outcome.matched).toBe(true);
    expect(pages[0]?.rows.map(({ recordId, followedTo }) => [recordId, followedTo])).toEqual([
      ['SR-0000001', 'SR-0000002'],
      ['SR-0000002', 'SR-0000003'],
      ['SR-0000003', null],
    ]);
  });

  it.each([
    ['into itself', 'SR-0000001'],
    ['into none that is there', 'SR-0000009'],
    ['in a circle', 'SR-0000002'],
  ])('%s does not stop the walk as a match', async (_name, into) => {
    await createLookupIndexes(database.owner);
    await insertItems(database.owner, [
      anItem(1, { status: 'merged', merged_into: into }),
      anItem(2, { reference: 'OTHER', status: 'merged', merged_into: 'SR-0000001' }),
    ]);
    const { outcome, pages } = await attempt(aTableRegister(), { url: database.url, identifiers: askedFor('INV-2024-00001') });
    expect(outcome.matched).toBe(false);
    expect(pages[0]?.rows[0]).toMatchObject({ recordId: 'SR-0000001', status: 'merged' });
  });
});

describe('pooled connections', () => {
  // Fails if a transaction is left open on a connection that goes back: the next attempt would read the old snapshot.
  it('serve the next attempt with a snapshot of its own, also after an attempt that was cut off', async () => {
    await createLookupIndexes(database.owner);
    const connections = new PostgresPools({ connectionsMax: 1, idleMs: 1_000 });
    const settings = { url: database.url, connections, identifiers: askedFor('INV-2024-00001') };
    try {
      expect((await attempt(aTableRegister(), settings)).outcome).toMatchObject({ stopReason: 'end-signalled', matched: false });
      await insertItems(database.owner, [anItem(1)]);
      expect((await attempt(aTableRegister(), settings)).outcome).toMatchObject({ stopReason: 'end-signalled', matched: true });
      await database.owner.query('begin; lock table sample.service_request in access exclusive mode');
      const cut = await attempt(aTableRegister(), { ...settings, limits: { elapsedMsMax: 300 } });
      await database.owner.query('rollback');
      expect(cut.outcome.matched).toBe(false);
      expect((await attempt(aTableRegister(), settings)).outcome).toMatchObject({ stopReason: 'end-signalled', matched: true });
    } finally {
      await connections.close();
    }
  });
});

describe('what a table source does wrong', () => {
  // Fails if an error of the source is thrown, or becomes an end.
  it.each([
    ['a column that is not there', aTableRegister({ status: 'state' }), 'response-invalid'],
    ['a table that is not there', aTableRegister({ table: { schema: 'sample', name: 'nothing' } }), 'response-invalid'],
  ])('%s is a failure', async (_name, register, reason) => {
    const { outcome } = await attempt(register, { url: database.url, identifiers: askedFor('INV-1') });
    expect(outcome).toMatchObject({ stopReason: reason, pages: 0 });
  });

  it('a server that is not there, and a wrong password, are failures', async () => {
    const identifiers = askedFor('INV-1');
    const gone = await attempt(aTableRegister(), { url: 'postgres://nobody@127.0.0.1:1/none', identifiers });
    expect(gone.outcome.stopReason).toBe('source-unavailable');
    const wrong = new URL(database.url);
    wrong.password = 'wrong';
    const refused = await attempt(aTableRegister(), { url: wrong.toString(), identifiers });
    expect(refused.outcome.stopReason).toBe('source-forbidden');
    expect(JSON.stringify(refused.outcome)).not.toContain('wrong');
  });

  // Fails if a statement can outlive the time for the attempt.
  it('a table that is locked ends the attempt when its time is used up', async () => {
    await createLookupIndexes(database.owner);
    await database.owner.query('begin; lock table sample.service_request in access exclusive mode');
    try {
      const { outcome } = await attempt(aTableRegister(), {
        url: database.url,
        identifiers: askedFor('INV-1'),
        limits: { elapsedMsMax: 400 },
      });
      expect(['budget-time', 'timed-out']).toContain(outcome.stopReason);
    } finally {
      await database.owner.query('rollback');
    }
  });
});
