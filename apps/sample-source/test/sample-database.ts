import { randomUUID } from 'node:crypto';
import pg from 'pg';

/** A database of one's own on the server of LACUNA_TEST_DATABASE_URL. */
export interface SampleDatabase {
  url: string;
  query<T extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<T[]>;
  drop(): Promise<void>;
}

export async function createSampleDatabase(): Promise<SampleDatabase> {
  const server = process.env.LACUNA_TEST_DATABASE_URL;
  if (!server) throw new Error('LACUNA_TEST_DATABASE_URL names no PostgreSQL');
  const name = `sample_${randomUUID().replaceAll('-', '')}`;
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  await once(server, `create database ${name}`);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return {
    url,
    query: async <T extends pg.QueryResultRow>(sql: string, values?: unknown[]) => (await client.query<T>(sql, values)).rows,
    drop: async () => {
      await client.end();
      await once(server, `drop database ${name} with (force)`);
    },
  };
}

async function once(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}
