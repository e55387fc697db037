import pg from 'pg';
import type { RequestStatus, ServiceRequest } from './generate.js';
import { GENERATOR_VERSION, generateSample } from './generate.js';
import { ANALYSE, CREATE_INDEXES, CREATE_MARKER, CREATE_TABLES, INSERT_ACCOUNTS, INSERT_REQUESTS, INSERT_TRUTH } from './sample-tables.js';

export interface LoadOptions {
  /** 100,000 when absent. */
  rows?: number;
  seed?: number;
  /**
   * SQL that the reader of the table wants in place, such as its indexes. Each runs once per loaded table, in the loading transaction;
   * one that is new runs on a table that is there already.
   */
  extraStatements?: readonly string[];
}

export interface LoadOutcome {
  outcome: 'loaded' | 'already-there';
  rows: number;
  seed: number;
  elapsedMs: number;
}

export interface LoadedSample {
  rows: number;
  seed: number;
}

/** A row of one's own beside the generated ones. The oracle asks nothing about it. */
export interface AddedRequest {
  id: string;
  account: string;
  reference: string;
  instance: string;
  status?: RequestStatus;
  version?: number;
  mergedInto?: string | null;
  openedOn?: string;
  title?: string;
}

export const ROWS_DEFAULT = 100_000;
export const SEED_DEFAULT = 1;
const ROWS_MAX = 2_000_000;
const BATCH_ROWS = 10_000;
const LOCK_TIMEOUT_MS = 30_000;
/** Two loads at once take turns. */
const ADVISORY_LOCK = 7_305_201;

/** Brings the sample schema to this content: all of it or nothing. */
export async function loadSample(databaseUrl: string, options: LoadOptions = {}): Promise<LoadOutcome> {
  const { rows = ROWS_DEFAULT, seed = SEED_DEFAULT, extraStatements = [] } = options;
  if (!Number.isInteger(rows) || rows < 1 || rows > ROWS_MAX) throw new RangeError(`rows must be a whole number from 1 to ${ROWS_MAX}`);
  if (!Number.isInteger(seed) || seed !== (seed | 0)) throw new RangeError('seed must be a 32-bit whole number');
  const began = performance.now();
  const outcome = await inTransaction(databaseUrl, async (client) => {
    await client.query(`select pg_advisory_xact_lock(${ADVISORY_LOCK})`);
    await client.query(CREATE_MARKER);
    const there = await client.query<{ statements: string[] }>(
      'select statements from sample.load where generator = $1 and seed = $2 and rows = $3',
      [GENERATOR_VERSION, seed, rows],
    );
    const done = there.rows[0]?.statements;
    if (!done) await loadTables(client, rows, seed);
    await runStatements(client, extraStatements, done ?? []);
    return done ? ('already-there' as const) : ('loaded' as const);
  });
  return { outcome, rows, seed, elapsedMs: Math.round(performance.now() - began) };
}

/** What is loaded there; undefined when nothing is. */
export async function findLoadedSample(databaseUrl: string): Promise<LoadedSample | undefined> {
  return inTransaction(databaseUrl, async (client) => {
    const table = await client.query<{ there: boolean }>(`select to_regclass('sample.load') is not null as there`);
    if (!table.rows[0]?.there) return undefined;
    const { rows } = await client.query<LoadedSample>('select rows, seed from sample.load where generator = $1', [GENERATOR_VERSION]);
    return rows[0];
  });
}

/** Adds rows to a loaded sample; ids that are there already keep their row. Answers how many are new. */
export async function addRequests(databaseUrl: string, requests: readonly AddedRequest[]): Promise<number> {
  const whole = requests.map(
    ({ status = 'open', version = 1, mergedInto = null, openedOn = '2025-01-15', title = 'Added', ...request }) => {
      return { ...request, status, version, mergedInto, openedOn, title };
    },
  );
  return inTransaction(databaseUrl, async (client) => {
    await client.query(INSERT_ACCOUNTS, [[...new Set(requests.map(({ account }) => account))]]);
    return (await client.query(INSERT_REQUESTS, requestColumns(whole))).rowCount ?? 0;
  });
}

async function loadTables(client: pg.Client, rows: number, seed: number): Promise<void> {
  const { accounts, requests } = generateSample({ rows, seed });
  await client.query(CREATE_TABLES);
  await client.query(INSERT_ACCOUNTS, [accounts]);
  for (let start = 0; start < requests.length; start += BATCH_ROWS) {
    const batch = requests.slice(start, start + BATCH_ROWS);
    await client.query(INSERT_REQUESTS, requestColumns(batch));
    await client.query(INSERT_TRUTH, truthColumns(batch));
  }
  await client.query(CREATE_INDEXES);
  await client.query(ANALYSE);
  await client.query('delete from sample.load');
  await client.query('insert into sample.load (generator, seed, rows, statements) values ($1, $2, $3, $4)', [
    GENERATOR_VERSION,
    seed,
    rows,
    [],
  ]);
}

async function runStatements(client: pg.Client, statements: readonly string[], done: readonly string[]): Promise<void> {
  const missing = statements.filter((statement) => !done.includes(statement));
  for (const statement of missing) await client.query(statement);
  await client.query('update sample.load set statements = statements || $1::text[]', [missing]);
  if (missing.length > 0) await client.query(ANALYSE);
}

type Row = Omit<ServiceRequest, 'canonicalReference' | 'canonicalInstance'>;

function requestColumns(rows: readonly Row[]): unknown[][] {
  const names = ['id', 'version', 'account', 'reference', 'instance', 'status', 'mergedInto', 'openedOn', 'title'] as const;
  return names.map((name) => rows.map((row) => row[name]));
}

function truthColumns(rows: readonly ServiceRequest[]): unknown[][] {
  const names = ['id', 'account', 'canonicalReference', 'canonicalInstance'] as const;
  return names.map((name) => rows.map((row) => row[name]));
}

async function inTransaction<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'lacuna-sample-source', lock_timeout: LOCK_TIMEOUT_MS });
  await client.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    await client.end();
  }
}
