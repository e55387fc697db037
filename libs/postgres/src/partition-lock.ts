/**
 * Who consumes which partition, among all processes on one database: session-level advisory locks on a connection of their own.
 *
 * L1 A lock lives as long as its connection: a killed process frees its partitions at once.
 * L2 A lost connection means that every partition is lost; `onLost` is told. Positions fence whoever has not noticed yet.
 */
import { createHash } from 'node:crypto';
import { Client } from 'pg';
import type { TopicPartition } from '@lacuna/messaging';
import { databaseError } from './database-error.js';

const CONNECT_TIMEOUT_MS = 5_000;

export class PartitionLock {
  #client: Client | null = null;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly url: string,
    private readonly group: string,
    private readonly onLost: () => void,
  ) {}

  /** True: this partition is ours until the connection ends. False: another consumer of the group has it. */
  async take(at: TopicPartition): Promise<boolean> {
    return this.#inTurn(async () => {
      const client = await this.#connected();
      const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [this.#key(at)]);
      return rows[0]?.taken === true;
    });
  }

  async release(at: TopicPartition): Promise<void> {
    await this.#inTurn(async () => this.#client?.query('select pg_advisory_unlock($1)', [this.#key(at)]));
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = null;
    await client?.end();
  }

  /** One statement at a time on the one connection. */
  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#tail.then(work);
    this.#tail = mine.catch(() => undefined);
    return mine;
  }

  async #connected(): Promise<Client> {
    if (this.#client) return this.#client;
    const client = new Client({
      connectionString: this.url,
      application_name: `lacuna partitions of ${this.group}`,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
    });
    const lost = () => {
      if (this.#client !== client) return;
      this.#client = null;
      this.onLost();
    };
    client.on('error', lost);
    client.on('end', lost);
    try {
      await client.connect();
    } catch (error) {
      throw databaseError(error, this.url);
    }
    return (this.#client = client);
  }

  #key(at: TopicPartition): string {
    const digest = createHash('sha256')
      .update(JSON.stringify([this.group, at.topic, at.partition]))
      .digest();
    return String(digest.readBigInt64BE(0));
  }
}
