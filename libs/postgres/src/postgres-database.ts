/**
 * PostgreSQL behind the Database port: one pool and one schema per service.
 *
 * D1 Every transaction has all its time bounds, set in the round trip that begins it: a paused owner must not block its successor.
 * D2 COMMIT of a failed transaction answers ROLLBACK and no error: that answer is an error here.
 * D3 What waits for a commit (wake-ups) runs after it, and never after a rollback.
 * D4 int8 stays text, as the driver gives it: callers make bigints of it.
 */
import type { Database, Transaction } from '@lacuna/messaging';
import { DataSource, type DataSourceOptions } from 'typeorm';
import type { Pool, PoolClient } from 'pg';
import { addressOf, databaseError } from './database-error.js';
import { quoteName } from './quote-name.js';

export interface PostgresSettings {
  readonly url: string;
  /** The service's own schema; made by `migrate`. */
  readonly schema: string;
  readonly applicationName: string;
  readonly poolMax?: number;
  readonly connectTimeoutMs?: number;
  readonly lockTimeoutMs?: number;
  readonly transactionTimeoutMs?: number;
  readonly idleInTransactionTimeoutMs?: number;
  /** TypeORM entities, where a service has some. */
  readonly entities?: NonNullable<DataSourceOptions['entities']>;
}

const DEFAULTS = {
  poolMax: 10,
  connectTimeoutMs: 5_000,
  lockTimeoutMs: 5_000,
  transactionTimeoutMs: 30_000,
  idleInTransactionTimeoutMs: 10_000,
  entities: [] as NonNullable<DataSourceOptions['entities']>,
};
/** `transaction_timeout` came with PostgreSQL 17; before it, statement and idle time are bounded instead. */
const TRANSACTION_TIMEOUT_SINCE = 170_000;

/** Connects. @throws a one-line error that names the address, never the password. */
export async function openDatabase(settings: PostgresSettings): Promise<PostgresDatabase> {
  const filled = { ...DEFAULTS, ...definedOnly(settings) };
  const dataSource = new DataSource(dataSourceOptions(filled));
  try {
    await dataSource.initialize();
    const [row] = await dataSource.query<{ version: string }[]>(`select current_setting('server_version_num') as version`);
    return new PostgresDatabase(dataSource, filled, Number(row?.version));
  } catch (error) {
    if (dataSource.isInitialized) await dataSource.destroy();
    throw databaseError(error, settings.url);
  }
}

/** What TypeORM needs for this service's schema; `migrate` opens a second source with migrations. */
export function dataSourceOptions(settings: PostgresSettings): DataSourceOptions & { type: 'postgres' } {
  return {
    type: 'postgres',
    url: settings.url,
    schema: settings.schema,
    applicationName: settings.applicationName,
    poolSize: settings.poolMax,
    connectTimeoutMS: settings.connectTimeoutMs,
    installExtensions: false,
    entities: settings.entities,
    migrationsTableName: 'migration',
    migrationsTransactionMode: 'all',
    logging: false,
    poolErrorHandler: () => undefined,
    extra: { options: `-c search_path=${quoteName(settings.schema)}`, keepAlive: true },
  };
}

export class PostgresDatabase implements Database {
  readonly #pool: Pool;
  readonly #begin: string;

  constructor(
    readonly dataSource: DataSource,
    readonly settings: Required<PostgresSettings>,
    serverVersion: number,
  ) {
    this.#pool = (dataSource.driver as unknown as { master: Pool }).master;
    this.#begin = beginStatements(settings, serverVersion);
  }

  get schema(): string {
    return this.settings.schema;
  }

  /** Host, port and database: what two databases of one process share when they are the same one. */
  get address(): string {
    return addressOf(this.settings.url);
  }

  async transaction<T>(work: (tx: PostgresTransaction) => Promise<T>): Promise<T> {
    const client = await this.#connect();
    client.on('error', ignore);
    const tx = new PostgresTransaction(client);
    let result: T;
    try {
      await client.query(this.#begin);
      result = await work(tx);
      const { command } = await client.query('commit');
      if (command !== 'COMMIT') throw new TransactionAbortedError();
    } catch (error) {
      await rollBack(client, error);
      throw error;
    } finally {
      client.off('error', ignore);
    }
    client.release();
    tx.committed();
    return result;
  }

  /** One statement outside any transaction: reads of the log, catalogue questions. */
  async query<Row extends object = Record<string, unknown>>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    const { rows } = await this.#pool.query<Row>(sql, [...parameters]);
    return rows;
  }

  async ping(): Promise<void> {
    try {
      await this.#pool.query('select 1');
    } catch (error) {
      throw databaseError(error, this.settings.url);
    }
  }

  async close(): Promise<void> {
    if (this.dataSource.isInitialized) await this.dataSource.destroy();
  }

  async #connect(): Promise<PoolClient> {
    try {
      return await this.#pool.connect();
    } catch (error) {
      if (this.#pool.waitingCount > 0 || this.#pool.totalCount >= this.settings.poolMax) throw new PoolExhaustedError(this.settings, error);
      throw databaseError(error, this.settings.url);
    }
  }
}

/** All connections were busy for as long as a connection may take. `code` is that of a timeout: it is worth a retry. */
export class PoolExhaustedError extends Error {
  override readonly name = 'PoolExhaustedError';
  readonly code = 'ETIMEDOUT';
  constructor({ poolMax, connectTimeoutMs }: Required<PostgresSettings>, cause: unknown) {
    super(`all ${poolMax} connections to PostgreSQL were busy for ${connectTimeoutMs} ms`, { cause });
  }
}

/** A statement failed and its error was swallowed: nothing of the transaction was kept (D2). */
export class TransactionAbortedError extends Error {
  override readonly name = 'TransactionAbortedError';
  constructor() {
    super('the transaction was rolled back at its commit: an earlier statement failed and its error was swallowed');
  }
}

export class PostgresTransaction implements Transaction {
  readonly #client: PoolClient;
  readonly #afterCommit: (() => void)[] = [];
  #tenantId: string | null = null;

  constructor(client: PoolClient) {
    this.#client = client;
  }

  async query<Row extends object = Record<string, unknown>>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    const { rows } = await this.#client.query<Row>(sql, [...parameters]);
    return rows;
  }

  async actFor(tenantId: string): Promise<void> {
    if (this.#tenantId === tenantId) return;
    await this.#client.query({ name: 'act-for', text: `select set_config('lacuna.tenant', $1, true)`, values: [tenantId] });
    this.#tenantId = tenantId;
  }

  /** Runs once the transaction has committed (D3). */
  afterCommit(work: () => void): void {
    this.#afterCommit.push(work);
  }

  committed(): void {
    for (const work of this.#afterCommit.splice(0)) work();
  }
}

function beginStatements(settings: Required<PostgresSettings>, serverVersion: number): string {
  const bound = serverVersion >= TRANSACTION_TIMEOUT_SINCE ? 'transaction_timeout' : 'statement_timeout';
  return [
    'begin',
    `set local ${bound} = ${wholeMs(settings.transactionTimeoutMs)}`,
    `set local idle_in_transaction_session_timeout = ${wholeMs(settings.idleInTransactionTimeoutMs)}`,
    `set local lock_timeout = ${wholeMs(settings.lockTimeoutMs)}`,
  ].join('; ');
}

function wholeMs(value: number): number {
  if (!Number.isSafeInteger(value) || value < 1) throw new RangeError(`a time bound of ${value} ms is none: give a whole number from 1`);
  return value;
}

/** A connection that breaks between two statements says so here; the next statement fails with it. */
function ignore(): void {}

/** A connection that cannot roll back is thrown away: the server rolls back what it held. */
async function rollBack(client: PoolClient, cause: unknown): Promise<void> {
  try {
    await client.query('rollback');
    client.release();
  } catch {
    client.release(cause instanceof Error ? cause : true);
  }
}

function definedOnly<T extends object>(settings: T): T {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as T;
}
