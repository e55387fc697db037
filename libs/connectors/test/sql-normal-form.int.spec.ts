import type { Normaliser } from '@lacuna/evidence';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { normalFormDifferences, probeSql, probeValues, type Probe } from '../kit/sql/sql-normal-form.js';
import { testDatabase, type TestDatabase } from './test-database.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

describe('the normal forms of a PostgreSQL server', () => {
  // Fails if a server that does as it is told is not trusted, so that its tables are read whole for every question; or if it cannot run them.
  it.each<[string, readonly Normaliser[]]>([
    ['nothing', []],
    ['case, spaces and separators', ['nfkc', 'trim', 'case-fold', 'strip-separators']],
    ['digits', ['digits-only']],
    ['digits without leading zeros', ['digits-only', 'strip-leading-zeros']],
    ['leading zeros inside', ['strip-leading-zeros']],
    ['addresses', ['email']],
    ['look-alikes', ['confusables']],
    ['look-alikes of addresses', ['email', 'confusables']],
    ['look-alikes without separators', ['trim', 'strip-separators', 'confusables']],
  ])('are the core’s: %s', async (_name, normalisers) => {
    const { rows } = await database.owner.query<Probe>(probeSql(normalisers), [probeValues()]);
    expect(rows).toHaveLength(probeValues().length);
    expect(normalFormDifferences(normalisers, rows)).toEqual([]);
  });
});
