import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addRequests, findLoadedSample, loadSample } from '../src/index.js';
import type { SampleDatabase } from './sample-database.js';
import { createSampleDatabase } from './sample-database.js';

const INDEX = 'create index by_reference on sample.service_request (reference)';

describe('loading the sample', () => {
  let database: SampleDatabase;
  beforeAll(async () => {
    database = await createSampleDatabase();
  });
  afterAll(() => database.drop());
  const count = async (table: string) => (await database.query<{ n: number }>(`select count(*)::int as n from sample.${table}`))[0]?.n;
  const contents = async () =>
    (
      await database.query<{ digest: string }>(`select md5(string_agg(r::text, '|' order by id)) as digest from sample.service_request r`)
    )[0];

  it('gives the rows asked for once, and says so the next time; fails when a restart loads again', async () => {
    expect(await findLoadedSample(database.url)).toBeUndefined();
    expect(await loadSample(database.url, { rows: 3_000, seed: 5 })).toMatchObject({ outcome: 'loaded', rows: 3_000 });
    const first = await contents();
    expect(await loadSample(database.url, { rows: 3_000, seed: 5 })).toMatchObject({ outcome: 'already-there' });
    expect([await count('service_request'), await count('service_request_truth'), await contents()]).toEqual([3_000, 3_000, first]);
    expect(await findLoadedSample(database.url)).toEqual({ rows: 3_000, seed: 5 });
  });

  it('replaces another sample, smaller or bigger; fails when rows of the old one stay', async () => {
    expect(await loadSample(database.url, { rows: 700, seed: 5 })).toMatchObject({ outcome: 'loaded' });
    expect(await count('service_request')).toBe(700);
    expect(await loadSample(database.url, { rows: 25_000, seed: 6 })).toMatchObject({ outcome: 'loaded' });
    expect([await count('service_request'), await count('service_request_truth')]).toEqual([25_000, 25_000]);
  });

  it('runs each extra statement once per table, also on one that is there; fails when a restart creates an index twice', async () => {
    const options = { rows: 1_000, seed: 5, extraStatements: [INDEX] };
    await loadSample(database.url, { rows: 1_000, seed: 5 });
    expect(await loadSample(database.url, options)).toMatchObject({ outcome: 'already-there' });
    expect(await loadSample(database.url, options)).toMatchObject({ outcome: 'already-there' });
    expect(await loadSample(database.url, { ...options, seed: 6 })).toMatchObject({ outcome: 'loaded' });
    expect(await database.query(`select from pg_indexes where indexname = 'by_reference'`)).toHaveLength(1);
  });

  it('leaves the old sample whole when a statement fails; fails when a reader can meet half a sample', async () => {
    await loadSample(database.url, { rows: 1_000, seed: 5 });
    await expect(loadSample(database.url, { rows: 500, seed: 9, extraStatements: ['select nothing_of_this_name'] })).rejects.toThrow();
    expect([await count('service_request'), await findLoadedSample(database.url)]).toEqual([1_000, { rows: 1_000, seed: 5 }]);
  });

  it('takes turns when two load at once; fails when the second meets the tables of the first', async () => {
    const outcomes = await Promise.all([1, 2].map(() => loadSample(database.url, { rows: 2_000, seed: 11 })));
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['already-there', 'loaded']);
  });

  it('takes added rows beside the generated ones, each id once; fails when a demonstration repeated adds a second record', async () => {
    await loadSample(database.url, { rows: 1_000, seed: 5 });
    const added = { id: 'SR-DEMO-1', account: 'ACC-DEMO', reference: 'INV 1', instance: 'eu-1' };
    expect([await addRequests(database.url, [added]), await addRequests(database.url, [added])]).toEqual([1, 0]);
    expect(await database.query(`select status, opened_on::text from sample.service_request where id = 'SR-DEMO-1'`)).toEqual([
      { status: 'open', opened_on: '2025-01-15' },
    ]);
  });

  it.each([{ rows: 0 }, { rows: 1.5 }, { rows: 2_000_001 }, { seed: 0.5 }])(
    'refuses %o; fails when a typing error fills the disk',
    async (options) => {
      await expect(loadSample(database.url, options)).rejects.toThrow(RangeError);
    },
  );
});
