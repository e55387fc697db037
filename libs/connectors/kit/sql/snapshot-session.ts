/** One read-only transaction of one attempt: every statement sees the same moment, and a policy that would hide rows is an error. */
import type pg from 'pg';
import type { HeldConnection, PostgresConnections } from './postgres-connections.js';

export interface SnapshotFacts {
  readonly snapshot: string;
  readonly inRecovery: boolean;
}

interface FactsRow {
  readonly snapshot: string;
  readonly in_recovery: boolean;
}

const CONNECT_TIMEOUT_MS = 10_000;

export class SnapshotSession {
  private released: Promise<void> | null = null;
  private seen: FactsRow | null = null;

  private constructor(
    private readonly held: HeldConnection,
    private readonly signal: AbortSignal,
  ) {
    signal.addEventListener('abort', this.abort, { once: true });
  }

  /** Throws the driver's error, or the signal's reason. `elapsedMsMax` bounds each statement. */
  static async open(url: string, connections: PostgresConnections, elapsedMsMax: number, signal: AbortSignal): Promise<SnapshotSession> {
    signal.throwIfAborted();
    const held = await connections.acquire(url, Math.min(CONNECT_TIMEOUT_MS, elapsedMsMax));
    const session = new SnapshotSession(held, signal);
    try {
      signal.throwIfAborted();
      const results = (await held.client.query(beginSql(elapsedMsMax))) as unknown as readonly pg.QueryResult<FactsRow>[];
      session.seen = results.at(-1)?.rows[0] ?? null;
      return session;
    } catch (error) {
      await session.release(true);
      throw error;
    }
  }

  /** Of the statement that fixed the snapshot. */
  get facts(): SnapshotFacts {
    if (!this.seen) throw new Error('the server gave no snapshot');
    return { snapshot: this.seen.snapshot, inRecovery: this.seen.in_recovery };
  }

  get agreedForms(): Set<string> {
    return this.held.agreedForms;
  }

  get readyLookups(): Map<string, number> {
    return this.held.readyLookups;
  }

  async rows<T extends pg.QueryResultRow>(text: string, values: readonly unknown[]): Promise<readonly T[]> {
    this.signal.throwIfAborted();
    return (await this.held.client.query<T>(text, [...values])).rows;
  }

  /** A failure leaves the transaction usable. */
  async rowsOrUndo<T extends pg.QueryResultRow>(text: string, values: readonly unknown[]): Promise<readonly T[]> {
    await this.rows('savepoint before_row', []);
    try {
      return await this.rows<T>(text, values);
    } catch (error) {
      await this.rows('rollback to savepoint before_row', []);
      throw error;
    }
  }

  /** Ends the transaction; the connection goes back only when that worked. */
  async close(): Promise<void> {
    if (this.released) return this.released;
    const isClean = await this.held.client.query('rollback').then(
      () => true,
      () => false,
    );
    await this.release(!isClean);
  }

  private readonly abort = (): void => void this.release(true);

  private release(broken: boolean): Promise<void> {
    this.signal.removeEventListener('abort', this.abort);
    this.released ??= this.held.release(broken);
    return this.released;
  }
}

/**
 * Its last statement is the first that reads: from there on the snapshot is fixed. What a role or a database may set about how values are
 * written is set here, so that one value has one text wherever it is read.
 */
const beginSql = (elapsedMsMax: number): string => `
begin isolation level repeatable read read only;
set local row_security = off;
set local search_path = pg_catalog, pg_temp;
set local datestyle = 'ISO, YMD';
set local timezone = 'UTC';
set local intervalstyle = 'postgres';
set local extra_float_digits = 3;
set local bytea_output = 'hex';
set local lc_monetary = 'C';
set local xmlbinary = 'base64';
set local standard_conforming_strings = on;
set local quote_all_identifiers = off;
set local transform_null_equals = off;
set local statement_timeout = ${Math.ceil(elapsedMsMax)};
set local idle_in_transaction_session_timeout = ${Math.ceil(elapsedMsMax)};
select pg_current_snapshot()::text as snapshot, pg_is_in_recovery() as in_recovery`;
