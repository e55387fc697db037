/** Brings schemas up to date. Several services may start at once: one migrates, the others wait and find it done. */
import { DataSource, type MigrationInterface } from 'typeorm';
import { dataSourceOptions, type PostgresDatabase } from './postgres-database.js';
import { LOG_SCHEMA, logMigrations } from './log-migrations.js';
import { quoteName } from './quote-name.js';

export type MigrationClass = new () => MigrationInterface;

/** One lock for all schemas of a database: the log's is shared by all services. */
const MIGRATION_LOCK = 7_236_914_205;
const LOCK_WAIT_MS_MAX = 120_000;

/** Makes the service's schema and runs what is missing of `migrations`, in the order of the timestamps in their names. */
export async function migrate(
  database: PostgresDatabase,
  migrations: readonly MigrationClass[],
  schema: string = database.schema,
): Promise<void> {
  const source = new DataSource({
    ...dataSourceOptions({ ...database.settings, schema, poolMax: 2 }),
    migrations: [...migrations],
    entities: [],
  });
  await source.initialize();
  try {
    await alone(source, async (query) => {
      await query(`create schema if not exists ${quoteName(schema)}`);
      await source.runMigrations();
    });
  } finally {
    await source.destroy();
  }
}

/** The Postgres event log's own schema, shared by all services of the database. */
export async function migrateLog(database: PostgresDatabase): Promise<void> {
  await migrate(database, logMigrations, LOG_SCHEMA);
}

async function alone(source: DataSource, work: (query: (sql: string) => Promise<unknown>) => Promise<void>): Promise<void> {
  const holder = source.createQueryRunner();
  try {
    await holder.query(`set lock_timeout = ${LOCK_WAIT_MS_MAX}`);
    await holder.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await work((sql) => holder.query(sql));
  } finally {
    await holder.query('select pg_advisory_unlock_all()').catch(() => undefined);
    await holder.query('reset lock_timeout').catch(() => undefined);
    await holder.release();
  }
}
