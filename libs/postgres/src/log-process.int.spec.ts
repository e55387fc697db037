import type { PartitionHandler } from '@lacuna/messaging';
import { freshId, freshServiceDatabase, type ServiceDatabase } from '@lacuna/testing';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from './postgres-database.js';
import { PostgresEventLog } from './postgres-event-log.js';

/** As log-process.ts takes it. */
const PROCESS_LOCK = '7236914208';

let service: ServiceDatabase;
let log: PostgresEventLog;
let topic: string;
let other: Client;
beforeAll(async () => {
  service = await freshServiceDatabase('gateway');
});
afterAll(() => service.drop());
beforeEach(async () => {
  log = new PostgresEventLog(service.database);
  topic = freshId('lacuna.test');
  await log.ensureTopics([{ topic, partitions: 1, cleanup: 'delete', retentionMs: -1 }]);
  other = new Client({ connectionString: service.url });
  await other.connect();
});
afterEach(async () => {
  await log.stop();
  await other.end();
});

const handler = (onMessages: () => void = () => undefined): PartitionHandler => ({
  takeOver: async (_at, { logEnd }) => logEnd,
  handle: async () => onMessages(),
  release: () => undefined,
});
const consume = (onMessages?: () => void, onFatal: (error: Error) => void = () => undefined, on = log) =>
  on.consume({ group: freshId('group'), topics: [topic], handler: handler(onMessages), batchMessagesMax: 10, onFatal });
const message = () => ({ topic, key: Buffer.from('k'), value: Buffer.from('v'), headers: {} });
/** As another process of ours appends: with the wake-up in its transaction. */
const appendAsOther = () =>
  other.query(
    `begin; select lacuna_log.append(array['${topic}'], array[0], array['\\x6b'::bytea], array['\\x76'::bytea], array['{}'::json]);
     select pg_notify('lacuna_log', '${topic}/0'); commit`,
  );

describe('the process that reads the Postgres log', () => {
  // Fails if two processes can share a log that is meant for one, and each is short of what the other took.
  it('refuses a second one, in words that say what to do', async () => {
    await other.query('select pg_advisory_lock($1)', [PROCESS_LOCK]);
    await expect(consume()).rejects.toThrow(/another process reads the event log in the database at .*LACUNA_LOG=kafka/);
    await log.publish([message()]);
    expect(await log.read({ topic, partition: 0 }, 0n, 10)).toHaveLength(1);
  });

  // Fails if a restart after kill -9 is refused because the server has not noticed the end of the process before it yet.
  it('waits a moment for one that has just ended', async () => {
    await other.query('select pg_advisory_lock($1)', [PROCESS_LOCK]);
    setTimeout(() => void other.query('select pg_advisory_unlock_all()'), 500);
    await (await consume()).stop();
  });

  // Fails if the services of one process refuse each other, or the lock stays when the last of them has stopped.
  it('is one for all its services, until the last of them stops', async () => {
    const second = await openDatabase({ url: service.url, schema: 'verdict', applicationName: 'second', poolMax: 2 });
    const secondLog = new PostgresEventLog(second);
    const [one, two] = [await consume(), await consume(undefined, undefined, secondLog)];
    const isFree = async () => (await other.query('select pg_try_advisory_lock($1) as free', [PROCESS_LOCK])).rows[0].free as boolean;
    expect(await isFree()).toBe(false);
    await one.stop();
    expect(await isFree()).toBe(false);
    await two.stop();
    expect(await isFree()).toBe(true);
    await second.close();
  });

  // Fails if what an operator puts back from another process waits for the poll.
  it('is woken by NOTIFY when another process appends', async () => {
    let woken: () => void = () => undefined;
    await consume(() => woken());
    const waitsMs: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      const arrived = new Promise<void>((resolve) => (woken = resolve));
      const startedAtMs = performance.now();
      await appendAsOther();
      await arrived;
      waitsMs.push(performance.now() - startedAtMs);
    }
    expect(waitsMs.sort((a, b) => a - b)[2]).toBeLessThan(400);
  });

  // Fails if a lost wake-up loses a message.
  it('finds what nobody woke it for by looking', async () => {
    const arrived = new Promise<void>((resolve) => void consume(resolve));
    await new Promise((resolve) => setTimeout(resolve, 300));
    await other.query(
      `select lacuna_log.append(array['${topic}'], array[0], array['\\x6b'::bytea], array['\\x76'::bytea], array['{}'::json])`,
    );
    await arrived;
  });

  // Fails if every append of the one process takes the lock that NOTIFY takes in the whole database, or another's append wakes nobody.
  it('is not notified of its own appends; an append of a process that does not read is told', async () => {
    const told: (string | undefined)[] = [];
    other.on('notification', ({ payload }) => told.push(payload));
    await other.query('listen lacuna_log');
    await log.publish([message()]);
    await consume();
    await log.publish([message()]);
    await other.query('select 1');
    await expect.poll(() => told).toEqual([`${topic}/0`]);
  });

  // Fails if a connection cut by the server leaves the process without its lock, or ends it although nobody else came.
  it('takes its lock up again after its connection was cut', async () => {
    const fatal: Error[] = [];
    await consume(undefined, (error) => fatal.push(error));
    await endConnections();
    await expect.poll(async () => (await holders()).length, { timeout: 10_000 }).toBe(1);
    expect(fatal).toEqual([]);
  });

  // Fails if two processes go on side by side after one of them lost its lock to the other (O3).
  it('ends its consumers when another process took the log while its connection was cut', async () => {
    let tell: (error: Error) => void = () => undefined;
    const fatal = new Promise<Error>((resolve) => (tell = resolve));
    await consume(undefined, (error) => tell(error));
    const waiting = other.query('select pg_advisory_lock($1)', [PROCESS_LOCK]);
    await endConnections();
    await waiting;
    expect((await fatal).name).toBe('LogInUseError');
  });
});

const holders = async () => {
  const admin = new Client({ connectionString: service.adminUrl });
  await admin.connect();
  const { rows } = await admin.query(
    `select pid from pg_locks where locktype = 'advisory' and granted and classid = 1 and objid = ($1::bigint & 4294967295)::oid
       and database = (select oid from pg_database where datname = current_database())`,
    [PROCESS_LOCK],
  );
  await admin.end();
  return rows;
};

async function endConnections(): Promise<void> {
  const admin = new Client({ connectionString: service.adminUrl });
  await admin.connect();
  await admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'lacuna event log' and datname = current_database()`,
  );
  await admin.end();
}
