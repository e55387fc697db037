/** One read-only transaction of one attempt: every statement sees the same moment, and a policy that would hide rows is an error. */
import pg from 'pg';

export interface SnapshotFacts {
  readonly snapshot: string;
  readonly inRecovery: boolean;
}

const CONNECT_TIMEOUT_MS = 10_000;

export class SnapshotSession {
  private constructor(
    private readonly client: pg.Client,
    private readonly unlisten: () => void,
  ) {}

  /** Throws the driver's error. `elapsedMsMax` bounds each statement. */
  static async open(url: string, elapsedMsMax: number, signal: AbortSignal): Promise<SnapshotSession> {
    signal.throwIfAborted();
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: Math.min(CONNECT_TIMEOUT_MS, elapsedMsMax),
      application_name: 'lacuna-source',
    });
    // A lost connection fails the statement that waits for it; the event itself must not end the process.
    client.on('error', () => undefined);
    const abort = (): void => void client.end().catch(() => undefined);
    signal.addEventListener('abort', abort, { once: true });
    const session = new SnapshotSession(client, () => signal.removeEventListener('abort', abort));
    try {
      await client.connect();
      await client.query(beginSql(elapsedMsMax));
      return session;
    } catch (error) {
      await session.close();
      throw error;
    }
  }

  async rows<T extends pg.QueryResultRow>(text: string, values: readonly unknown[]): Promise<readonly T[]> {
    return (await this.client.query<T>(text, [...values])).rows;
  }

  /** A failure leaves the transaction usable. */
  async rowsOrUndo<T extends pg.QueryResultRow>(text: string, values: readonly unknown[]): Promise<readonly T[]> {
    await this.client.query('savepoint before_row');
    try {
      return await this.rows<T>(text, values);
    } catch (error) {
      await this.client.query('rollback to savepoint before_row');
      throw error;
    } finally {
      await this.client.query('release savepoint before_row').catch(() => undefined);
    }
  }

  /** The first statement that reads: from here on the snapshot is fixed. */
  async facts(): Promise<SnapshotFacts> {
    const [row] = await this.rows<{ snapshot: string; in_recovery: boolean }>(
      'select pg_current_snapshot()::text as snapshot, pg_is_in_recovery() as in_recovery',
      [],
    );
    if (!row) throw new Error('the server gave no snapshot');
    return { snapshot: row.snapshot, inRecovery: row.in_recovery };
  }

  async close(): Promise<void> {
    this.unlisten();
    await this.client.end().catch(() => undefined);
  }
}

const beginSql = (elapsedMsMax: number): string => `
begin isolation level repeatable read read only;
set local row_security = off;
set local search_path = pg_catalog, pg_temp;
set local statement_timeout = ${Math.ceil(elapsedMsMax)};
set local idle_in_transaction_session_timeout = ${Math.ceil(elapsedMsMax)}`;
