import { freshServiceDatabase, type ServiceDatabase } from '@lacuna/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from './migrate.js';
import { openDatabase, type PostgresDatabase, TransactionAbortedError } from './postgres-database.js';
import { queueMigrations } from './queue-migrations.js';
import { tablesWithoutForcedRls, tenantTable } from './tenant-table.js';

class NoteTable1800000000000 {
  readonly name = 'NoteTable1800000000000';
  async up(runner: { query(sql: string): Promise<unknown> }): Promise<void> {
    await runner.query('create table note (tenant_id text not null, id text not null, body text, primary key (tenant_id, id))');
    for (const statement of tenantTable('note')) await runner.query(statement);
  }
  async down(): Promise<void> {}
}

let fresh: ServiceDatabase;
let database: PostgresDatabase;
beforeAll(async () => {
  fresh = await freshServiceDatabase('verdict', [NoteTable1800000000000]);
  database = fresh.database;
});
afterAll(() => fresh.drop());

const open = (settings: object = {}) => openDatabase({ ...database.settings, ...settings });

describe('a transaction', () => {
  it('has all three time bounds, and leaves none behind on the connection', async () => {
    const bounds = `select current_setting('transaction_timeout') as transaction, current_setting('lock_timeout') as lock,
      current_setting('idle_in_transaction_session_timeout') as idle`;
    const [inside] = await database.transaction((tx) => tx.query(bounds));
    expect(inside).toEqual({ transaction: '30s', lock: '5s', idle: '10s' });
    const [outside] = await database.query(bounds);
    expect(outside).toEqual({ transaction: '0', lock: '0', idle: '0' });
  });

  it('is cut when its owner pauses in it: a successor is not blocked for ever', async () => {
    const hasty = await open({ idleInTransactionTimeoutMs: 100 });
    const paused = hasty.transaction(async (tx) => {
      await tx.query('select 1');
      await new Promise((resolve) => setTimeout(resolve, 400));
      await tx.query('select 1');
    });
    await expect(paused).rejects.toThrow(/terminat|connection/i);
    await hasty.transaction((tx) => tx.query('select 1'));
    await hasty.close();
  });

  it('stops waiting for a lock after lock_timeout', async () => {
    const hasty = await open({ lockTimeoutMs: 100 });
    await database.transaction(async (tx) => {
      await tx.query('lock table note');
      await expect(hasty.transaction((other) => other.query('lock table note'))).rejects.toMatchObject({ code: '55P03' });
    });
    await hasty.close();
  });

  it('fails at its commit when a statement failed and the error was swallowed: nothing was kept, so nothing may be reported', async () => {
    const swallowed = database.transaction(async (tx) => {
      await tx.actFor('acme');
      await tx.query(`insert into note values ('acme', 'swallowed')`);
      await tx.query('select 1 / 0').catch(() => undefined);
    });
    await expect(swallowed).rejects.toBeInstanceOf(TransactionAbortedError);
  });

  it('rolls back on an error and gives the connection back clean', async () => {
    const failing = database.transaction(async (tx) => {
      await tx.actFor('acme');
      await tx.query(`insert into note values ('acme', 'rolled-back')`);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    const rows = await database.transaction(async (tx) => {
      await tx.actFor('acme');
      return tx.query(`select from note where id in ('rolled-back', 'swallowed')`);
    });
    expect(rows).toEqual([]);
  });

  it('tells those who wait for its commit after the commit, and not at all after a rollback', async () => {
    const seen: string[] = [];
    const countNotes = async (id: string) => {
      const rows = await database.transaction(async (tx) => {
        await tx.actFor('told');
        return tx.query('select from note where id = $1', [id]);
      });
      seen.push(`${id}: ${rows.length}`);
    };
    const done: Promise<void>[] = [];
    const insert = (id: string, fail: boolean) =>
      database.transaction(async (tx) => {
        await tx.actFor('told');
        await tx.query(`insert into note values ('told', $1)`, [id]);
        tx.afterCommit(() => done.push(countNotes(id)));
        if (fail) throw new Error('rolled back');
      });
    await insert('kept', false);
    await insert('dropped', true).catch(() => undefined);
    await Promise.all(done);
    expect(seen).toEqual(['kept: 1']);
  });

  it('keeps integers beyond 2^53 exact: int8 is text, never a number', async () => {
    const [row] = await database.query<{ big: string }>('select 9007199254740993::bigint as big');
    expect(row?.big).toBe('9007199254740993');
  });
});

describe('row-level security', () => {
  it('shows and accepts the rows of the tenant acted for only, for the owner of the table too', async () => {
    await database.transaction(async (tx) => {
      await tx.actFor('one');
      await tx.query(`insert into note values ('one', 'a')`);
      await tx.actFor('two');
      await tx.query(`insert into note values ('two', 'b')`);
      expect(await tx.query('select tenant_id, id from note')).toEqual([{ tenant_id: 'two', id: 'b' }]);
      await tx.actFor('one');
      expect(await tx.query('select tenant_id, id from note')).toEqual([{ tenant_id: 'one', id: 'a' }]);
    });
    const foreign = database.transaction(async (tx) => {
      await tx.actFor('one');
      await tx.query(`insert into note values ('two', 'c')`);
    });
    await expect(foreign).rejects.toThrow(/row-level security/);
  });

  it('shows nothing to a transaction that acts for nobody, also after another one acted on the same connection', async () => {
    const single = await open({ poolMax: 1 });
    await single.transaction((tx) => tx.actFor('one'));
    expect(await single.transaction((tx) => tx.query('select from note'))).toEqual([]);
    await single.close();
  });

  it('is missed by the catalogue test when a table forgets it or only enables it', async () => {
    expect(await tablesWithoutForcedRls(database, 'verdict')).toEqual([]);
    await database.query('create table verdict.forgotten (tenant_id text)');
    await database.query('create table verdict.unforced (tenant_id text)');
    await database.query('alter table verdict.unforced enable row level security');
    expect(await tablesWithoutForcedRls(database, 'verdict')).toEqual(['forgotten', 'unforced']);
    await database.query('drop table verdict.forgotten, verdict.unforced');
  });

  it('refuses a table name that is more than a name', () => {
    expect(() => tenantTable('note; drop table note')).toThrow('is not a name for SQL');
  });
});

describe('migrations', () => {
  it('run once when several services start at the same moment', async () => {
    const services = await Promise.all([1, 2, 3, 4].map(() => open({ schema: 'raced', poolMax: 1 })));
    await Promise.all(services.map((service) => migrate(service, queueMigrations)));
    const [row] = await database.query<{ runs: string }>('select count(*) as runs from raced.migration');
    expect(row?.runs).toBe(String(queueMigrations.length));
    await Promise.all(services.map((service) => service.close()));
  });
});

describe('a database that cannot be used', () => {
  it.each([
    [
      'does not answer',
      (url: URL) => (url.port = '1'),
      /^PostgreSQL at 127\.0\.0\.1:1 does not answer: start it or set LACUNA_DATABASE_URL$/,
    ],
    ['refuses the password', (url: URL) => (url.password = 'wrong-secret'), /refuses role "lacuna": check LACUNA_DATABASE_URL$/],
    ['is not there', (url: URL) => (url.pathname = '/nowhere'), /has no database "nowhere": create it/],
  ])('that %s is told in one line, without the password', async (_what, change, expected) => {
    const url = new URL(fresh.url);
    url.hostname = '127.0.0.1';
    change(url);
    const error = await openDatabase({ url: url.toString(), schema: 'verdict', applicationName: 'test' }).catch((caught: Error) => caught);
    expect((error as Error).message).toMatch(expected);
    expect((error as Error).message).not.toContain(url.password);
  });
});
