import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AskedIdentifiers, Questions } from '../src/index.js';
import { chooseQuestions, loadSample } from '../src/index.js';
import { runSampleProgram } from '../src/sample-program.js';
import type { SampleDatabase } from './sample-database.js';
import { createSampleDatabase } from './sample-database.js';

/**
 * A second way to the answer: PostgreSQL compares the raw texts as asked with the raw texts of every row of the account, by a rule
 * written here. The oracle never compares spellings, so an error would have to be made twice in different words.
 */
const HITS_SQL = `
with asked as (
  select * from unnest($1::text[], $2::text[], $3::text[]) with ordinality as a (account, reference, instance, n)
)
select a.n::int, array_agg(r.id || ' ' || r.status order by r.id) filter (where r.id is not null) as hits
from asked a left join sample.service_request r
  on r.account = a.account and ${readSql('r.reference')} = ${readSql('a.reference')} and ${readSql('r.instance')} = ${readSql('a.instance')}
group by a.n order by a.n`;

/** The letters and digits of a text, in upper case, however wide. ß is written out first: upper() of some locales leaves it. */
function readSql(column: string): string {
  return `regexp_replace(upper(replace(normalize(${column}, NFKC), 'ß', 'ss') collate "und-x-icu"), '[^[:alnum:]]', '', 'g')`;
}

/** A second row, closed, with the identity of each of these. */
const COPY_SQL = `
with copied as (
  insert into sample.service_request
  select id || '-COPY', version, account, reference, instance, 'closed', null, opened_on, title
  from sample.service_request where id = any ($1) returning 1
)
insert into sample.service_request_truth
select id || '-COPY', account, canonical_reference, canonical_instance from sample.service_request_truth where id = any ($1)`;

/** A row that means what each of these says. */
const PLANT_SQL = `
insert into sample.service_request_truth
select 'PLANTED-' || n, account, lower(${readSql('reference')} collate "und-x-icu"), lower(${readSql('instance')} collate "und-x-icu")
from unnest($1::text[], $2::text[], $3::text[]) with ordinality as a (account, reference, instance, n)`;

const unique = (texts: readonly string[]) => new Set(texts).size;

describe('the oracle', () => {
  let database: SampleDatabase;
  let questions: Questions;
  beforeAll(async () => {
    database = await createSampleDatabase();
    await loadSample(database.url, { rows: 20_000, seed: 3 });
    questions = await chooseQuestions(database.url, { count: 500 });
  });
  afterAll(() => database.drop());

  const hits = async (asked: readonly AskedIdentifiers[]) => {
    const columns = (['account', 'reference', 'instance'] as const).map((name) => asked.map((one) => one[name]));
    return (await database.query<{ hits: string[] | null }>(HITS_SQL, columns)).map((row) => row.hits ?? []);
  };

  it('names for each present question the one record that matches and blocks; fails when a right answer would count as wrong', async () => {
    expect(questions.present).toHaveLength(500);
    const found = await hits(questions.present);
    const wrong = questions.present.filter(({ recordId }, index) => {
      return found[index]?.length !== 1 || !/^(open|in-progress|reopened)$/.test(found[index][0]?.replace(`${recordId} `, '') ?? '');
    });
    expect(wrong).toEqual([]);
  });

  it('asks absent questions that match nothing in their account; fails when a right no-match would count as missed', async () => {
    expect(questions.absent).toHaveLength(500);
    expect((await hits(questions.absent)).filter((found) => found.length > 0)).toEqual([]);
  });

  it('follows the rows: asks for no identity that is there twice, and takes none for absent that is there; fails when it guesses', async () => {
    const small = await createSampleDatabase();
    await loadSample(small.url, { rows: 300, seed: 3 });
    const before = await chooseQuestions(small.url, { count: 50 });
    await small.query(COPY_SQL, [before.present.map(({ recordId }) => recordId)]);
    const columns = (['account', 'reference', 'instance'] as const).map((name) => before.absent.map((one) => one[name]));
    await small.query(PLANT_SQL, columns);
    const after = await chooseQuestions(small.url, { count: 50 });
    await small.drop();
    const key = ({ account, reference, instance }: AskedIdentifiers) =>
      [account, reference, instance]
        .map((text) =>
          text
            .normalize('NFKC')
            .toUpperCase()
            .replace(/[^\p{L}\p{N}]/gu, ''),
        )
        .join('|');
    const [copied, planted] = [before.present.map(({ recordId }) => recordId), before.absent.map(key)];
    expect(after.present.filter(({ recordId }) => copied.includes(recordId))).toEqual([]);
    expect(after.absent.map(key).filter((asked) => planted.includes(asked))).toEqual([]);
  });

  it('would notice a hit by that second way; fails when the check above compares nothing', async () => {
    const { rows } = {
      rows: await database.query<AskedIdentifiers>('select account, reference, instance from sample.service_request limit 200'),
    };
    expect((await hits(rows)).filter((found) => found.length === 0)).toEqual([]);
  });

  it('asks every kind of near miss, the accounts with 500 and with no requests among them; fails when only easy ones are left', async () => {
    const kinds = new Map<string, number>();
    for (const kind of questions.nearMisses) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    expect(kinds.size).toBe(7);
    expect(Math.min(...kinds.values())).toBeGreaterThan(50);
    const sizes = await database.query<{ size: number; kind: string }>(
      `select kind, (select count(*)::int from sample.service_request r where r.account = a.account) as size
       from unnest($1::text[], $2::text[]) as a (account, kind)`,
      [questions.absent.map(({ account }) => account), questions.nearMisses],
    );
    const sizesOf = (kind: string) => [...new Set(sizes.filter((one) => one.kind === kind).map(({ size }) => size))];
    expect([sizesOf('full-account'), sizesOf('empty-account')]).toEqual([[500], [0]]);
  });

  it('spells about half of the present references otherwise than stored; fails when only equal texts are tried', async () => {
    const stored = await database.query<{ id: string; reference: string }>('select id, reference from sample.service_request');
    const storedOf = new Map(stored.map(({ id, reference }) => [id, reference]));
    const respelt = questions.present.filter(({ recordId, reference }) => storedOf.get(recordId) !== reference);
    expect(respelt.length).toBeGreaterThan(200);
    expect(respelt.length).toBeLessThan(300);
  });

  it('chooses the same for the same seed, and others for another; fails when a failure cannot be repeated', async () => {
    expect(await chooseQuestions(database.url, { count: 500 })).toEqual(questions);
    const others = await chooseQuestions(database.url, { count: 500, seed: 2 });
    expect(unique([...questions.present, ...others.present].map(({ recordId }) => recordId))).toBeGreaterThan(600);
  });

  it('says so when the table is too small; fails when fewer questions pass for all', async () => {
    const small = await createSampleDatabase();
    await loadSample(small.url, { rows: 60, seed: 3 });
    const asked = await chooseQuestions(small.url, { count: 100 }).catch((error: Error) => error.message);
    const fewer = await chooseQuestions(small.url, { count: 20 });
    await small.drop();
    expect([asked, fewer.present.length, fewer.absent.length]).toEqual([expect.stringMatching(/not 100 of each/), 20, 20]);
    await expect(chooseQuestions(database.url, { count: 10_001 })).rejects.toThrow(RangeError);
  });

  it('is printed as one JSON object and nothing else; fails when progress gets into the output', async () => {
    const printed: string[] = [];
    const said: string[] = [];
    const args = ['questions', '--json', '--count', '20', '--database-url', database.url];
    expect(await runSampleProgram(args, { print: (text) => printed.push(text), say: (line) => said.push(line) })).toBe(0);
    const { present, absent, ...others } = JSON.parse(printed.join('')) as Questions;
    expect([present.length, absent.length, Object.keys(others), said]).toEqual([20, 20, [], []]);
    expect([Object.keys(present[0] ?? {}), Object.keys(absent[0] ?? {})]).toEqual([
      ['account', 'reference', 'instance', 'recordId'],
      ['account', 'reference', 'instance'],
    ]);
  });

  it('says which setting to check when there is no database; fails when a user is left with a bare error code', async () => {
    const said: string[] = [];
    const output = { print: () => undefined, say: (line: string) => said.push(line) };
    expect(await runSampleProgram(['questions', '--json', '--database-url', 'postgres://x@127.0.0.1:1/x'], output)).toBe(1);
    expect(said.join()).toMatch(/ECONNREFUSED.*LACUNA_SOURCE_SAMPLE_DATABASE_URL/);
  });
});
