/** How often a source may be asked, by all search-runners together: the counters are rows. */
import { FlexibleRateLimiter, type RateLimiter } from '@lacuna/connectors';
import type { Database } from '@lacuna/messaging';
import { sha256Hex } from '@lacuna/receipts';
import { RateLimiterMemory, RateLimiterPostgres } from 'rate-limiter-flexible';

interface Query {
  readonly text: string;
  readonly values?: readonly unknown[];
}

/** What rate-limiter-flexible asks of a client of PostgreSQL. */
const clientOf = (database: Database) => ({
  query: ({ text, values = [] }: Query) => database.transaction(async (tx) => ({ rows: await tx.query(text, [...values]) })),
});

/** With the database away each process counts for itself: its sources answer more strictly than none would. */
export function sharedRateLimiter(database: Database): RateLimiter {
  const limiter = new FlexibleRateLimiter(
    (settings) =>
      new RateLimiterPostgres({
        ...settings,
        storeClient: clientOf(database),
        storeType: 'client',
        tableName: 'source_rate',
        tableCreated: true,
        insuranceLimiter: new RateLimiterMemory(settings),
      }),
  );
  // A key may be longer than its column, and holds what a register's author wrote.
  return { take: (key, requests, perMs) => limiter.take(sha256Hex(Buffer.from(key)), requests, perMs) };
}
