/**
 * The one process that reads a Postgres log: an advisory lock and a listening connection, shared by all consumers of the process.
 *
 * O1 A second process is refused, in words that say what to do: past one process it is Kafka.
 * O2 What other processes append (an operator's requeue) wakes this one by NOTIFY. Its own appends wake it in memory, without the lock that
 *    every NOTIFY takes in the whole database. A lost wake-up costs one poll.
 * O3 A lost connection is taken up again; found taken by another process, the consumers are told to end. Positions fence either meanwhile.
 */
import { Client } from 'pg';
import { addressOf, databaseError } from './database-error.js';
import type { InProcessSignal } from './in-process-signal.js';

export const LOG_CHANNEL = 'lacuna_log';
const PROCESS_LOCK = 7_236_914_208;
const CONNECT_TIMEOUT_MS = 5_000;
/** A killed process's lock is freed once the server notices: a successor waits for that. */
const LOCK_TRIES_MAX = 25;
const LOCK_DELAY_MS = 200;

export class LogInUseError extends Error {
  override readonly name = 'LogInUseError';
  constructor(address: string) {
    super(
      `another process reads the event log in the database at ${address}: the Postgres log is for one process. ` +
        'Stop the other one, or go on to Kafka, which is for several: LACUNA_LOG=kafka',
    );
  }
}

interface Reader {
  readonly onLost: (error: Error) => void;
}

const processes = new Map<string, LogProcess>();

/** True: this process reads the log, and wakes itself. */
export const readsLogOf = (url: string): boolean => processes.get(addressOf(url))?.holds === true;

/** Joins this process's readers. Answers how to leave. @throws LogInUseError */
export async function joinLog(url: string, signal: InProcessSignal, onLost: (error: Error) => void): Promise<() => Promise<void>> {
  const address = addressOf(url);
  const found = processes.get(address) ?? new LogProcess(url, address, signal);
  processes.set(address, found);
  return found.join({ onLost });
}

class LogProcess {
  readonly #readers = new Set<Reader>();
  #client: Client | null = null;
  #opening: Promise<void> | null = null;

  constructor(
    private readonly url: string,
    private readonly address: string,
    private readonly signal: InProcessSignal,
  ) {}

  get holds(): boolean {
    return this.#client !== null;
  }

  async join(reader: Reader): Promise<() => Promise<void>> {
    this.#readers.add(reader);
    try {
      await (this.#opening ??= this.#open());
    } catch (error) {
      this.#opening = null;
      await this.#leave(reader);
      throw error;
    }
    return () => this.#leave(reader);
  }

  async #leave(reader: Reader): Promise<void> {
    this.#readers.delete(reader);
    if (this.#readers.size > 0) return;
    processes.delete(this.address);
    const client = this.#client;
    this.#client = null;
    await client?.end().catch(() => undefined);
  }

  async #open(): Promise<void> {
    const client = new Client({
      connectionString: this.url,
      application_name: 'lacuna event log',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
    });
    client.on('error', () => this.#lost(client));
    client.on('end', () => this.#lost(client));
    client.on('notification', ({ payload }) => this.signal.raise(`${this.address}/${payload ?? ''}`));
    try {
      await client.connect();
      await this.#lock(client);
      await client.query(`listen ${LOG_CHANNEL}`);
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error instanceof LogInUseError ? error : databaseError(error, this.url);
    }
    this.#client = client;
  }

  async #lock(client: Client): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [PROCESS_LOCK]);
      if (rows[0]?.taken === true) return;
      if (tries >= LOCK_TRIES_MAX) throw new LogInUseError(this.address);
      await new Promise((resolve) => setTimeout(resolve, LOCK_DELAY_MS));
    }
  }

  #lost(client: Client): void {
    if (this.#client !== client) return;
    this.#client = null;
    void this.#takeUpAgain();
  }

  /** For as long as anybody reads: the database may be away for a while, and consumers have bounds of their own for that. */
  async #takeUpAgain(): Promise<void> {
    while (this.#readers.size > 0 && this.#client === null) {
      try {
        await (this.#opening = this.#open());
      } catch (error) {
        if (error instanceof LogInUseError) return this.#tellLost(error);
        await new Promise((resolve) => setTimeout(resolve, LOCK_DELAY_MS));
      }
    }
    // Everybody left while it was opened.
    if (this.#readers.size === 0) await (this.#client as Client | null)?.end().catch(() => undefined);
  }

  #tellLost(error: LogInUseError): void {
    for (const reader of this.#readers) reader.onLost(error);
  }
}
