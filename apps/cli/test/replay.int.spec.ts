/** `lacuna replay` beside a running gateway, on both logs. */
import { encodeEvent, type EncodedEvent, type EventDefinition, events, topics, type TopicName } from '@lacuna/events';
import { gatewayDefinition } from '@lacuna/gateway';
import { EVENT_LOG, loadConfig, startService, type RunningService } from '@lacuna/runtime';
import type { EventLog } from '@lacuna/messaging';
import { openDatabase, type PostgresDatabase } from '@lacuna/postgres';
import {
  aCaseClosed,
  aCaseOpened,
  aDeliveryCleared,
  aDeliveryStalled,
  anAuthorisationRequested,
  anEvidenceHold,
  aReceiptAppended,
  aVerdictReached,
  aWriteSettled,
  eventually,
  freshDatabase,
  type FreshDatabase,
  freshId,
  handled,
} from '@lacuna/testing';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startKafka } from '../../../tools/kafka.mjs';
import { runLacuna } from './run-lacuna.js';

const encoded = <T extends object>(definition: EventDefinition<T>, data: T): EncodedEvent => encodeEvent(definition, data, 'verdict');
const REBUILT: readonly (readonly [TopicName, readonly string[]])[] = [
  [topics.verdicts, ['verdict']],
  [topics.writes, ['authorisation', 'write_answer']],
  [topics.reviews, ['review_case']],
  [topics.receipts, ['receipt']],
  [topics.deliveries, ['stalled_delivery']],
];

/** Everything that gateway's read model is made of, with repetitions and two generations. */
function someEvents(tenantId: string, count: number): EncodedEvent[] {
  return Array.from({ length: count }, (_, index) => {
    const of = { tenantId, questionId: freshId('q') };
    const opened = aCaseOpened({ ...of, caseId: freshId('case') });
    const all = [
      encoded(events.verdictReached, anEvidenceHold(of)),
      encoded(events.verdictReached, aVerdictReached({ ...of, generation: 2 })),
      encoded(events.receiptAppended, aReceiptAppended({ ...of, leafIndex: index })),
      encoded(events.authorisationRequested, anAuthorisationRequested({ ...of, authorisationId: freshId('auth') })),
      encoded(events.writeSettled, aWriteSettled(of)),
      encoded(events.caseOpened, opened),
      ...(index % 2 === 0 ? [encoded(events.caseClosed, aCaseClosed({ ...of, caseId: opened.caseId }))] : []),
      encoded(events.deliveryStalled, aDeliveryStalled(of)),
      ...(index % 3 === 0 ? [encoded(events.deliveryCleared, aDeliveryCleared(of))] : []),
    ];
    return [...all, ...all.slice(0, 3)];
  }).flat();
}

class Bench {
  fresh!: FreshDatabase;
  admin!: PostgresDatabase;
  service!: RunningService;
  folder = '';
  env: Record<string, string> = {};

  async start(env: Record<string, string>): Promise<void> {
    this.fresh = await freshDatabase();
    this.folder = await mkdtemp(join(tmpdir(), 'lacuna-registers-'));
    this.env = {
      ...env,
      LACUNA_DATABASE_URL: this.fresh.url,
      LACUNA_REGISTERS: this.folder,
      LACUNA_TENANTS: 't1',
      LACUNA_LOG_LEVEL: 'silent',
    };
    this.service = await startService(gatewayDefinition, loadConfig('gateway', this.env));
    this.admin = await openDatabase({ url: this.fresh.adminUrl, schema: 'gateway', applicationName: 'test', poolMax: 2 });
    await this.log.publish(someEvents('t1', 20));
    await this.handled();
  }

  async stop(): Promise<void> {
    await this.service?.stop();
    await this.admin?.close();
    await this.fresh?.drop();
    await rm(this.folder, { recursive: true, force: true });
  }

  get log(): EventLog {
    return this.service.app.get<EventLog>(EVENT_LOG);
  }

  handled = () =>
    handled(
      this.admin,
      this.log,
      'gateway',
      REBUILT.map(([topic]) => topic),
    );
  rows = (table: string) => this.admin.query(`select row_to_json(t)::text as row from ${table} t order by 1`);
  replay = (...args: string[]) => runLacuna(['replay', ...args], this.env);
}

function replays(bench: () => Bench): void {
  // Fails if what a replay builds differs in a byte from what was built at first, or damage stays in a table.
  it('empties the tables of every topic and builds them again, identical', async () => {
    const tables = REBUILT.flatMap(([, names]) => names);
    const before = await Promise.all(tables.map(bench().rows));
    for (const [index, table] of tables.entries()) {
      expect(before[index]?.length).toBeGreaterThan(7);
      await bench().admin.query(`delete from ${table} where ctid in (select ctid from ${table} limit 7)`);
      await bench().admin.query(`update ${table} set question_id = 'damaged' where ctid = (select max(ctid) from ${table})`);
    }
    const ran = await Promise.all(REBUILT.map(([topic]) => bench().replay(topic, '--from', 'start', '--json')));
    for (const [index, { exitCode, out, err }] of ran.entries()) {
      const [topic, empties] = REBUILT[index] ?? [];
      expect(exitCode).toBe(0);
      expect(err).toMatch(/^(\d+ of \d+ places read again\n)*$/);
      expect(JSON.parse(out)).toMatchObject({ topic, service: 'gateway', empties, epoch: 1, done: true });
    }
    expect(await Promise.all(tables.map(bench().rows))).toEqual(before);
  });

  // Fails if a second replay is taken for the first, or a service fenced twice gives its consumer up.
  it('again: under the next epoch, and the service goes on with what is new', async () => {
    const ran = await bench().replay(topics.verdicts, '--from', 'start', '--json');
    expect(JSON.parse(ran.out)).toMatchObject({ epoch: 2, done: true });
    const [{ before } = { before: 0 }] = await bench().admin.query<{ before: number }>('select count(*)::int as before from verdict');
    await bench().log.publish([encoded(events.verdictReached, aVerdictReached({ tenantId: 't1', questionId: freshId('q') }))]);
    await bench().handled();
    expect(await bench().admin.query('select count(*)::int as now from verdict')).toEqual([{ now: before + 1 }]);
  });

  // Fails if a replay from a time empties what came before it.
  it('from a time: empties nothing, and brings back what was lost since', async () => {
    const before = await bench().rows('review_case');
    await bench().admin.query('delete from review_case where ctid in (select ctid from review_case limit 5)');
    const since = new Date(Date.now() - 3_600_000).toISOString();
    const ran = await bench().replay(topics.reviews, '--from', since);
    expect(ran).toMatchObject({
      exitCode: 0,
      out: expect.stringMatching(/^gateway has read lacuna\.reviews\.v1 again from .*, epoch \d+: \d+ places\n$/),
    });
    expect(await bench().rows('review_case')).toEqual(before);
    const later = await bench().replay(topics.reviews, '--from', new Date(Date.now() + 3_600_000).toISOString(), '--json');
    expect(JSON.parse(later.out)).toMatchObject({ empties: [], messages: 0, done: true });
  });

  // Fails if a dry run does anything.
  it('--dry-run says what would be done, and does nothing', async () => {
    const before = await bench().rows('verdict');
    const positions = () => bench().admin.query('select * from position order by topic, partition');
    const at = await positions();
    const ran = await bench().replay(topics.verdicts, '--from', 'start', '--dry-run');
    expect(ran).toMatchObject({
      exitCode: 0,
      out: 'gateway would read lacuna.verdicts.v1 again from start: empties verdict. Nothing was done\n',
    });
    expect([await bench().rows('verdict'), await positions()]).toEqual([before, at]);
  });

  // Fails if questions are asked again, records written again or cases opened again by a replay.
  it.each([
    [topics.questions, /its readers act on what they read, and would act twice/],
    [topics.registers, /its readers act on what they read/],
    ['lacuna.nothing.v1', /no service reads it/],
  ])('%s is refused: only what fills a read model alone can be replayed', async (topic, why) => {
    const ran = await bench().replay(topic, '--from', 'start');
    expect(ran).toMatchObject({ exitCode: 2, out: '', err: expect.stringMatching(why) });
    expect(ran.err.trimEnd().split('\n')).toHaveLength(1);
  });

  it('refuses a --from that is neither the start nor a time', async () => {
    expect(await bench().replay(topics.verdicts, '--from', 'yesterday')).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('"yesterday"'),
    });
  });
}

describe('lacuna replay on the Postgres log', () => {
  const bench = new Bench();
  beforeAll(() => bench.start({}));
  afterAll(() => bench.stop());
  replays(() => bench);

  // Fails if tables are emptied although the log no longer holds what they were built of.
  it('from the start is refused once the beginning has expired', async () => {
    await bench.admin.query('delete from lacuna_log.event where topic = $1 and position = 0', [topics.verdicts]);
    const before = await bench.rows('verdict');
    const ran = await bench.replay(topics.verdicts, '--from', 'start');
    expect(ran).toMatchObject({ exitCode: 1, err: expect.stringMatching(/begins at 1: what came before has expired/) });
    expect(await bench.rows('verdict')).toEqual(before);
  });

  // Fails if the command waits for ever for a service that does not run, or what it began is lost by that.
  it('goes on by itself when the service comes back after --wait', async () => {
    const before = await bench.rows('review_case');
    await bench.service.stop();
    const ran = await bench.replay(topics.reviews, '--from', 'start', '--wait', '1');
    expect(ran).toMatchObject({ exitCode: 12, out: expect.stringContaining('It goes on by itself while it runs') });
    expect(await bench.rows('review_case')).toEqual([]);
    bench.service = await startService(gatewayDefinition, loadConfig('gateway', bench.env));
    await eventually('it is rebuilt', async () => (await bench.rows('review_case')).length === before.length);
    expect(await bench.rows('review_case')).toEqual(before);
  });
});

describe.skipIf(!process.env.LACUNA_TEST_KAFKA_BROKERS)('lacuna replay on Kafka', () => {
  const bench = new Bench();
  let kafka: Awaited<ReturnType<typeof startKafka>>;
  beforeAll(async () => {
    kafka = await startKafka({ own: true });
    const env = { LACUNA_LOG: 'kafka', KAFKA_BROKERS: kafka.brokers };
    await runLacuna(['topics', 'apply', '--partitions', '2'], env);
    await bench.start(env);
  });
  afterAll(async () => {
    await bench.stop();
    await kafka?.stop();
  });
  replays(() => bench);
});
