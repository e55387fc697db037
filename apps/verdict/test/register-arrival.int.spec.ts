/** Ends that come before their register: whoever comes second decides, exactly once. */
import { topics } from '@lacuna/events';
import type { Register } from '@lacuna/evidence';
import type { JobQueue, ReceivedEvent, Transaction } from '@lacuna/messaging';
import { PostgresJobQueue, type PostgresDatabase } from '@lacuna/postgres';
import { generateSigningKey } from '@lacuna/receipts';
import { systemClock } from '@lacuna/runtime';
import { eventsOn, eventually, freshId } from '@lacuna/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RegistersHandler } from '../src/registers.handler.js';
import { SearchesHandler } from '../src/searches.handler.js';
import { aDecidableRegister, aGeneration, encoded } from './a-generation.js';
import { bench, type Bench, published } from './running-verdict.js';

const register = aDecidableRegister();

describe('a register that arrives after the ends of its searches', () => {
  let verdict: Bench;
  beforeAll(async () => {
    verdict = await bench();
    await verdict.start();
  });
  afterAll(() => verdict.close());

  it('lets all of them be decided, however many wait: more than one transaction takes', async () => {
    const tenantId = freshId('tenant');
    const waiting = Array.from({ length: 230 }, () => aGeneration(register, { tenantId }));
    await verdict.publish(...waiting.flatMap(encoded));
    await verdict.handled();
    expect(await verdict.verdictsOf(tenantId)).toEqual([]);
    await verdict.publish(published(tenantId, register), published(tenantId, register));
    await verdict.reached(waiting.length, tenantId);
    const leaves = (await verdict.receiptsOf(tenantId)).map(({ leafIndex }) => leafIndex).sort((one, other) => one - other);
    expect(leaves).toEqual(Array.from({ length: waiting.length }, (_, index) => index));
    await eventually('its job is settled', async () => (await verdict.admin.query('select from job')).length === 0);
  });

  it('of another tenant decides nothing here', async () => {
    const tenantId = freshId('tenant');
    await verdict.publish(...encoded(aGeneration(register, { tenantId })), published(freshId('tenant'), register));
    await verdict.handled();
    expect(await verdict.verdictsOf(tenantId)).toEqual([]);
  });

  it('and that cannot be read tells each question, and leaves no job behind; fails when the job goes round for ever', async () => {
    const tenantId = freshId('tenant');
    const broken = { ...register, hash: 'b'.repeat(64), identifiers: null } as unknown as Register;
    const waiting = [1, 2, 3].map(() => aGeneration({ ...register, hash: broken.hash }, { tenantId }));
    await verdict.publish(...waiting.flatMap(encoded));
    await verdict.handled();
    await verdict.publish(published(tenantId, broken));
    const stalled = async () =>
      (await eventsOn(verdict.log, topics.deliveries)).map((event) => event.data as { tenantId: string; questionId: string });
    await eventually('all are told', async () => (await stalled()).filter((each) => each.tenantId === tenantId).length === 3);
    await eventually('its job is settled', async () => (await verdict.admin.query('select from job')).length === 0);
    expect(await verdict.verdictsOf(tenantId)).toEqual([]);
  });
});

describe('an end and its register that cross', () => {
  let verdict: Bench;
  beforeAll(async () => {
    verdict = await bench();
    await verdict.stop(await verdict.start());
  });
  afterAll(() => verdict.close());

  it('meet: one of the two transactions sees the other', async () => {
    expect(await decidedAfterCrossing(verdict, (tx) => tx)).toBe(true);
  });

  it('miss each other without the lock, and nobody ever decides: the same harness finds it (negative control)', async () => {
    expect(await decidedAfterCrossing(verdict, withoutLock)).toBe(false);
  });
});

/** The end is handled while the arrival is, and commits last where nothing makes the arrival wait. Decided, or about to be? */
async function decidedAfterCrossing({ database }: Bench, through: (tx: Transaction) => Transaction): Promise<boolean> {
  const tenantId = freshId('tenant');
  const jobs: JobQueue = new PostgresJobQueue(database);
  const searches = new SearchesHandler(generateSigningKey(), systemClock);
  const registers = new RegistersHandler(jobs, systemClock);
  let arrival: Promise<void> = Promise.resolve();
  const reached = await database.transaction(async (tx) => {
    await tx.actFor(tenantId);
    const events = received(encoded(aGeneration(register, { tenantId })));
    const published = await searches.handle({ tx: through(tx), tenantId, topic: topics.searches, events });
    arrival = arriving(database, registers, tenantId, through);
    await arrivalIsDoneOrWaits(database, arrival);
    return published;
  });
  await arrival;
  const enqueued = await database.transaction((tx) => tx.query('select from job where tenant_id = $1', [tenantId]));
  return reached.length + enqueued.length > 0;
}

async function arriving(
  database: PostgresDatabase,
  handler: RegistersHandler,
  tenantId: string,
  through: (tx: Transaction) => Transaction,
) {
  await database.transaction(async (tx) => {
    await tx.actFor(tenantId);
    await handler.handle({ tx: through(tx), tenantId, topic: topics.registers, events: received([published(tenantId, register)]) });
  });
}

/** So that the end commits only when the arrival has looked, or cannot look before. */
async function arrivalIsDoneOrWaits(database: PostgresDatabase, arrival: Promise<void>): Promise<void> {
  let isDone = false;
  void arrival.then(() => (isDone = true));
  const waiting = `select from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())`;
  await eventually('the arrival is done or waits', async () => isDone || (await database.query(waiting)).length > 0);
}

function withoutLock(tx: Transaction): Transaction {
  return {
    actFor: (tenantId) => tx.actFor(tenantId),
    query: <Row extends object>(sql: string, parameters?: readonly unknown[]) =>
      sql.includes('advisory') ? Promise.resolve<Row[]>([]) : tx.query<Row>(sql, parameters),
  };
}

const received = (sent: ReturnType<typeof encoded>): ReceivedEvent[] =>
  sent.map((event, index) => ({
    type: event.headers['ce_type'] ?? '',
    id: event.headers['ce_id'] ?? '',
    source: '',
    time: '',
    traceparent: null,
    data: JSON.parse(event.value.toString()) as object,
    partition: 0,
    offset: BigInt(index),
  }));
