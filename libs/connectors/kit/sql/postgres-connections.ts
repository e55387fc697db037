/** Connections to table sources: one of its own for an attempt, or one of a pool that outlives it. */
import pg from 'pg';

export interface HeldConnection {
  readonly client: pg.ClientBase;
  /** Normal forms that this connection's server was seen to agree on. */
  readonly agreedForms: Set<string>;
  /** Table lookups that were found to have their indexes on this connection, each until a time of the process's own clock (ms). */
  readonly readyLookups: Map<string, number>;
  /** `broken`: it is closed, also in the middle of a statement; else it may serve the next attempt. */
  release(broken: boolean): Promise<void>;
}

export interface PostgresConnections {
  /** Throws the driver's error. */
  acquire(url: string, connectTimeoutMs: number): Promise<HeldConnection>;
}

const settings = (url: string, connectionTimeoutMillis: number): pg.ClientConfig => ({
  connectionString: url,
  connectionTimeoutMillis,
  application_name: 'lacuna-source',
});

/** A lost connection fails the statement that waits for it; the event itself must not end the process. */
const nothing = (): void => undefined;

export const singleConnections: PostgresConnections = {
  acquire: async (url, connectTimeoutMs) => {
    const client = new pg.Client(settings(url, connectTimeoutMs));
    client.on('error', nothing);
    const release = (): Promise<void> => client.end().catch(nothing);
    try {
      await client.connect();
    } catch (error) {
      await release();
      throw error;
    }
    return { client, agreedForms: new Set(), readyLookups: new Map(), release };
  },
};

/** Pooled connections, by URL. `close` when no attempt runs any more. */
export class PostgresPools implements PostgresConnections {
  private readonly pools = new Map<string, pg.Pool>();
  private readonly known = new WeakMap<pg.ClientBase, Pick<HeldConnection, 'agreedForms' | 'readyLookups'>>();

  constructor(
    private readonly bounds: { readonly connectionsMax: number; readonly idleMs: number } = { connectionsMax: 8, idleMs: 30_000 },
  ) {}

  async acquire(url: string, connectTimeoutMs: number): Promise<HeldConnection> {
    const client = await this.poolOf(url, connectTimeoutMs).connect();
    client.on('error', nothing);
    const known = this.known.get(client) ?? { agreedForms: new Set<string>(), readyLookups: new Map<string, number>() };
    this.known.set(client, known);
    return {
      client,
      ...known,
      release: async (broken) => {
        client.off('error', nothing);
        client.release(broken);
      },
    };
  }

  async close(): Promise<void> {
    const pools = [...this.pools.values()];
    this.pools.clear();
    await Promise.all(pools.map((pool) => pool.end()));
  }

  private poolOf(url: string, connectTimeoutMs: number): pg.Pool {
    const known = this.pools.get(url);
    if (known) return known;
    const pool = new pg.Pool({
      ...settings(url, connectTimeoutMs),
      max: this.bounds.connectionsMax,
      idleTimeoutMillis: this.bounds.idleMs,
      allowExitOnIdle: true,
    });
    pool.on('error', nothing);
    this.pools.set(url, pool);
    return pool;
  }
}
