import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { aTableRegister } from './registers.js';
import { sqlIndexStatements } from '../kit/index.js';
import type { Item } from './scripted-source.js';

const environment = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} names no PostgreSQL`);
  return value;
};

const inDatabase = (url: string, name: string): string => {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.toString();
};

export interface TestDatabase {
  /** The owner of the tables; row-level security binds it where it is forced. */
  readonly url: string;
  readonly owner: pg.Client;
  drop(): Promise<void>;
}

/** A database of its own, with an empty sample.service_request. */
export const testDatabase = async (): Promise<TestDatabase> => {
  const server = environment('LACUNA_TEST_DATABASE_URL');
  const name = `lacuna_connectors_${randomUUID().replaceAll('-', '').slice(0, 16)}`;
  const onServer = async (sql: string): Promise<void> => {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  await onServer(`create database ${name}`);
  const url = inDatabase(server, name);
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  await owner.query(`
    create schema sample;
    create table sample.service_request (id text collate "C" primary key, version integer not null, account text, reference text, instance text,
      status text not null, merged_into text)`);
  return {
    url,
    owner,
    drop: async () => {
      await owner.end();
      await onServer(`drop database if exists ${name} with (force)`);
    },
  };
};

export const insertItems = async (owner: pg.Client, items: readonly Item[]): Promise<void> => {
  await owner.query(
    `insert into sample.service_request select id, version, account, reference, instance, status, merged_into
     from json_populate_recordset(null::sample.service_request, $1::json)`,
    [JSON.stringify(items)],
  );
};

export const createLookupIndexes = async (owner: pg.Client): Promise<void> => {
  const { register, source } = aTableRegister();
  for (const statement of sqlIndexStatements(register, source)) await owner.query(statement);
};
