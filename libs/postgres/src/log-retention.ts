/**
 * How long the Postgres log keeps its events.
 *
 * K1 Weeks are made ahead, and by an append that finds its week missing: an event always has a place.
 * K2 A week is dropped as a whole table, once its last moment is older than its topics are kept. What is kept for ever, as receipts are, lies
 *    in a table that is never dropped.
 * K3 Whoever cannot have the tables at once tries again an hour later: neither readers nor writers wait for this.
 */
import type { TopicSettings } from '@lacuna/messaging';
import type { PostgresDatabase } from './postgres-database.js';

const DAY_MS = 86_400_000;
const WEEKS_AHEAD = 2;
const TIDY_MS = 3_600_000;
const LOCK_MS = 2_000;

/** Whole days, rounded up; 0: for ever. A compacted topic is kept as it is: its last event of a key is needed for ever. */
export function daysKept({ cleanup, retentionMs }: Pick<TopicSettings, 'cleanup' | 'retentionMs'>): number {
  return cleanup === 'compact' || retentionMs < 0 ? 0 : Math.max(1, Math.ceil(retentionMs / DAY_MS));
}

/** Makes the weeks ahead, and drops those that have expired by `now`. Answers the tables dropped. */
export async function tidyLog(database: PostgresDatabase, now: Date): Promise<string[]> {
  await database.transaction(async (tx) => {
    await tx.query(`set local lock_timeout = ${LOCK_MS}`);
    await tx.query(
      `select lacuna_log.make_period(days, $1::timestamptz + week * interval '7 days')
         from (select distinct days from lacuna_log.head where days > 0) as classes, generate_series(0, $2::integer) as week`,
      [now.toISOString(), WEEKS_AHEAD],
    );
  });
  return database.transaction(async (tx) => {
    await tx.query(`set local lock_timeout = ${LOCK_MS}`);
    const dropped = await tx.query<{ drop_expired: string }>('select lacuna_log.drop_expired($1)', [now.toISOString()]);
    return dropped.map((row) => row.drop_expired);
  });
}

/** Every hour, until it is stopped; a failure waits for the next hour. */
export class LogRetention {
  #timer: NodeJS.Timeout | null = null;

  constructor(private readonly database: PostgresDatabase) {}

  start(): void {
    this.#timer ??= setInterval(() => void tidyLog(this.database, new Date()).catch(() => undefined), TIDY_MS);
    this.#timer.unref();
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }
}
