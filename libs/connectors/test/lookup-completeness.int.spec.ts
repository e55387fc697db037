import { compareRow, normalForm, type SourceRow } from '@lacuna/evidence';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RegisterDocument } from '../kit/index.js';
import { sqlIndexStatements } from '../kit/index.js';
import { attempt } from './attempts.js';
import { askedFor, aTableRegister, type RegisterAndSource } from './registers.js';
import { anItem, type Item } from './scripted-source.js';
import { insertItems, testDatabase, type TestDatabase } from './test-database.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const ROWS = 600;
const QUESTIONS = 80;
/** Another one each run; a failure names it. */
const SEED = Math.floor(Math.random() * 2 ** 31);
const PIECES = ['A', 'a', 'B', 'i', 'I', '1', '２', '-', '–', ' ', '\u00a0', '\t', '\u00ad', '_', 'é', 'İ', '\u212a', '~'] as const;

const spelling = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join(''));
const storedOf = (value: fc.Arbitrary<string>) =>
  fc.oneof({ weight: 9, arbitrary: value }, { weight: 1, arbitrary: fc.constantFrom(null, '') });
const account = fc.constantFrom('ACC-000001', 'acc-000001', ' ACC-000001', 'ACC-０００００１', 'ACC-000002', null);

const withNear = ({ register, source }: RegisterAndSource<unknown>): RegisterDocument => ({
  ...register,
  identifiers: {
    ...register.identifiers,
    reference: { kind: 'key', normalise: ['nfkc', 'trim'], near: ['nfkc', 'trim', 'case-fold', 'strip-separators'] },
  },
  sources: [source as RegisterDocument['sources'][number]],
});

const withAddresses = (each: RegisterAndSource<unknown>): RegisterDocument => {
  const { identifiers, ...register } = withNear(each);
  return { ...register, identifiers: { ...identifiers, reference: { kind: 'key', normalise: ['email'] } } };
};

const ADDRESSES = [
  'ann@example.org',
  ' Ann@Example.ORG.',
  'Ann <ann@example.org>',
  'ann@ｅxample.org',
  'bob@example.org',
  'a@b',
  'n/a',
] as const;

describe('an exact lookup beside the core', () => {
  // The one property that counts. Fails if any row of the account that the core would call a match or ambiguous is not read: whatever its
  // spelling, and whether its key, its account or neither is irregular.
  it.each([
    ['with one form', (each: RegisterAndSource<unknown>) => each.register, spelling],
    ['with a lossier form', withNear, spelling],
    ['with values that are read, some of which cannot be', withAddresses, fc.constantFrom(...ADDRESSES)],
  ])('reads every row that matches or is ambiguous, %s', async (_name, registerOf, references) => {
    const example = aTableRegister();
    const register = registerOf(example);
    await database.owner.query(
      'truncate sample.service_request; drop index if exists sample.service_request_lacuna_lookup, sample.service_request_lacuna_irregular',
    );
    for (const statement of sqlIndexStatements(register, example.source)) await database.owner.query(statement);
    const rows = fc
      .sample(fc.record({ account, reference: storedOf(references), instance: storedOf(spelling) }), { numRuns: ROWS, seed: SEED })
      .map((row, at) => anItem(at, row as Partial<Item>));
    await insertItems(database.owner, rows);
    let expectedRows = 0;
    for (const { reference, instance } of fc.sample(fc.record({ reference: references, instance: spelling }), {
      numRuns: QUESTIONS,
      seed: SEED,
    })) {
      const identifiers = askedFor(reference, instance);
      const { pages } = await attempt({ register, source: example.source }, { url: database.url, identifiers });
      expect(pages[0]?.remarks?.['method']).toBe('exact-lookup');
      const expected = rows.filter((row) => inScope(register, row) && standsOut(register, identifiers, row)).map(({ id }) => id);
      expectedRows += expected.length;
      expect(
        pages[0]?.rows.map(({ recordId }) => recordId),
        `seed ${SEED}`,
      ).toEqual(expect.arrayContaining(expected));
    }
    expect(expectedRows).toBeGreaterThan(0);
  });
});

describe('a table whose keys have no form in SQL', () => {
  // Fails if such a key is left out of the lookup, or compared by the database as text: the record would be called absent.
  it('is read whole, and the record is found in another spelling', async () => {
    const { source, register } = aTableRegister();
    const normalise = [{ phone: { countryCode: '49' } }] as const;
    const phones: RegisterDocument = {
      ...register,
      identifiers: { account: { kind: 'scope', normalise: [] }, reference: { kind: 'key', normalise } },
      sources: [source],
    };
    await database.owner.query('truncate sample.service_request');
    expect(sqlIndexStatements(phones, source)).toEqual([]);
    const spellings = ['0049 30 123456', '030 123457', '4930123456', 'unknown'];
    await insertItems(
      database.owner,
      spellings.map((reference, at) => anItem(at, { account: 'ACC-000001', reference })),
    );
    const identifiers = askedFor('030 123456', 'x').filter(({ name }) => name !== 'instance');
    const { pages } = await attempt({ register: phones, source }, { url: database.url, identifiers });
    expect(pages[0]?.remarks?.['method']).not.toBe('exact-lookup');
    expect(pages.flatMap(({ rows }) => rows.map(({ results }) => results['reference']))).toEqual(['agree', 'near']);
  });
});

const inScope = ({ identifiers }: RegisterDocument, row: Item): boolean =>
  normalForm(identifiers['account']?.normalise ?? [], row.account ?? '') === 'acc-000001';

const standsOut = (register: RegisterDocument, identifiers: ReturnType<typeof askedFor>, item: Item): boolean => {
  const { account: scope, reference, instance } = item;
  const row: SourceRow = {
    recordId: item.id,
    version: '1',
    status: 'open',
    followedTo: null,
    values: { account: scope, reference, instance },
  };
  return compareRow(register.identifiers, identifiers, row, []).outcome !== 'other';
};
