/** Databases of their own for spec files, on the server of the test run. */
import { createHash, randomUUID } from 'node:crypto';
import {
  LOG_SCHEMA,
  logMigrations,
  migrate,
  migrateLog,
  type MigrationClass,
  openDatabase,
  type PostgresDatabase,
  type PostgresSettings,
  queueMigrations,
} from '@lacuna/postgres';
import { Client } from 'pg';

export interface FreshDatabase {
  /** As the role that row-level security binds. */
  readonly url: string;
  /** As the superuser, for what a test must see past row-level security or end from outside. */
  readonly adminUrl: string;
  drop(): Promise<void>;
}

const TEMPLATE_LOCK = 7_236_914_206;

/** A database that nobody else uses, with the event log's tables in it; `drop` it in `afterAll`. */
export async function freshDatabase(): Promise<FreshDatabase> {
  const server = environment('LACUNA_TEST_DATABASE_URL');
  const admin = environment('LACUNA_TEST_ADMIN_DATABASE_URL');
  const name = `lacuna_test_${randomUUID().replaceAll('-', '').slice(0, 16)}`;
  const template = await ensureTemplate(server, admin);
  await onServer(server, (query) => query(`create database ${name} template ${template} strategy file_copy`));
  return {
    url: withDatabase(server, name),
    adminUrl: withDatabase(admin, name),
    drop: () => dropDatabase(admin, name),
  };
}

export interface ServiceDatabase extends FreshDatabase {
  readonly database: PostgresDatabase;
}

/** A fresh database, opened as one service opens it: its schema with queue tables and the service's own migrations. */
export async function freshServiceDatabase(
  schema: string,
  migrations: readonly MigrationClass[] = [],
  settings: Partial<PostgresSettings> = {},
): Promise<ServiceDatabase> {
  const fresh = await freshDatabase();
  const database = await openDatabase({ url: fresh.url, schema, applicationName: `test ${schema}`, poolMax: 8, ...settings });
  await migrate(database, [...queueMigrations, ...migrations]);
  return {
    ...fresh,
    database,
    drop: async () => {
      await database.close();
      await fresh.drop();
    },
  };
}

/** Made once per server and version of the log's migrations: a copy of a database is faster than its migrations. */
async function ensureTemplate(server: string, admin: string): Promise<string> {
  const version = createHash('sha256').update(logMigrations.map(String).join('\n')).digest('hex').slice(0, 12);
  const template = `lacuna_template_${version}`;
  await onServer(server, async (query) => {
    await query(`select pg_advisory_lock(${TEMPLATE_LOCK})`);
    const { rows } = await query(`select from pg_database where datname = '${template}'`);
    if (rows.length > 0) return;
    const making = `${template}_making`;
    await dropDatabase(admin, making);
    await query(`create database ${making}`);
    await migrateOnly(withDatabase(server, making));
    await query(`alter database ${making} rename to ${template}`);
  });
  return template;
}

/** As the superuser: `force` must be able to end an autovacuum worker too, which any other role is refused (42501). */
function dropDatabase(admin: string, name: string): Promise<void> {
  return onServer(admin, (query) => query(`drop database if exists ${name} with (force)`));
}

async function migrateOnly(url: string): Promise<void> {
  const database = await openDatabase({ url, schema: LOG_SCHEMA, applicationName: 'test template', poolMax: 1 });
  try {
    await migrateLog(database);
  } finally {
    await database.close();
  }
}

async function onServer(url: string, work: (query: (sql: string) => Promise<{ rows: unknown[] }>) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: url, application_name: 'test fixture' });
  await client.connect();
  try {
    await work((sql) => client.query(sql));
  } finally {
    await client.end();
  }
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.toString();
}

function environment(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run the tests with npm test, or give the address of a PostgreSQL`);
  return value;
}
