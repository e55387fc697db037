/** deploy/compose/postgres/roles.sql, run on a PostgreSQL of our own as the image would run it with psql. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { lookupIndexes } from '@lacuna/embedded';
import { migrate, openDatabase, queueMigrations } from '@lacuna/postgres';
import { loadSample } from '@lacuna/sample-source';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPostgres } from '../tools/postgres.mjs';

const script = fileURLToPath(new URL('../deploy/compose/postgres/roles.sql', import.meta.url));

describe('the roles that the compose file makes', () => {
  let server: Awaited<ReturnType<typeof startPostgres>>;

  beforeAll(async () => {
    server = await startPostgres({ own: true });
    // This server has its own role and database of that name.
    await run(server.adminUrl, ['drop database if exists lacuna', 'drop owned by lacuna cascade', 'drop role lacuna']);
    const [before = '', after = ''] = asPsqlReads(readFileSync(script, 'utf8')).split('\\connect sample');
    await run(server.adminUrl, statementsOf(before));
    await run(urlOf('sample', server.adminUrl), statementsOf(after));
  });
  afterAll(() => server?.stop());

  const urlOf = (database: string, base = server.adminUrl) => {
    const url = new URL(base);
    url.pathname = `/${database}`;
    return url.href;
  };
  const as = (role: string, database: string) => {
    const url = new URL(urlOf(database));
    url.username = role;
    url.password = `of ${role}`;
    return url.href;
  };

  it('are bound by row-level security; fails when a service connects as a superuser, which sees every tenant', async () => {
    const roles = await run(server.adminUrl, [
      `select rolname, rolsuper or rolbypassrls or rolcreatedb or rolcreaterole or rolreplication as more from pg_roles
       where rolname in ('lacuna', 'sample_owner', 'sample_reader') order by rolname`,
    ]);
    expect(roles).toEqual(['lacuna', 'sample_owner', 'sample_reader'].map((rolname) => ({ rolname, more: false })));
  });

  it('let a service make its schema and tables', async () => {
    const database = await openDatabase({ url: as('lacuna', 'lacuna'), schema: 'gateway', applicationName: 'test' });
    await migrate(database, queueMigrations).finally(() => database.close());
    expect(await run(as('lacuna', 'lacuna'), ['select count(*)::int as rows from gateway.outbox'])).toEqual([{ rows: 0 }]);
  });

  it('let the sample be read, and not written, with the credential of the registers', async () => {
    await loadSample(as('sample_owner', 'sample'), { rows: 1_000, extraStatements: lookupIndexes() });
    const reader = as('sample_reader', 'sample');
    expect(await run(reader, ['select count(*)::int as rows from sample.service_request'])).toEqual([{ rows: 1_000 }]);
    await expect(run(reader, ['delete from sample.service_request'])).rejects.toThrow(/permission denied/);
    await expect(run(reader, ['create table sample.mine (x int)'])).rejects.toThrow(/permission denied/);
  });

  it('keep each to its own database', async () => {
    await expect(run(as('lacuna', 'sample'), ['select 1'])).rejects.toThrow(/permission denied for database/);
    await expect(run(as('sample_reader', 'lacuna'), ['select 1'])).rejects.toThrow(/permission denied for database/);
  });
});

/** `\set name `command`` and `:'name'`: the password of a role is "of <role>" here. */
function asPsqlReads(text: string): string {
  const files = [...text.matchAll(/^\\set (\w+)_password `cat \/run\/secrets\/\w+`$/gm)].map(([, name]) => name);
  expect(files).toEqual(['lacuna', 'sample_owner', 'sample_reader']);
  return text.replaceAll(/^\\set .*$/gm, '').replaceAll(/:'(\w+)_password'/g, (_, name: string) => `'of ${name}'`);
}

function statementsOf(text: string): string[] {
  return text
    .replaceAll(/^--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

/** One after the other; the rows of the last. */
async function run(url: string, statements: readonly string[]): Promise<unknown[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    let rows: unknown[] = [];
    for (const statement of statements) rows = (await client.query(statement)).rows;
    return rows;
  } finally {
    await client.end();
  }
}
