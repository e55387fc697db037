/** The commands that talk to the event log, on both of them. */
import { KafkaEventLog } from '@lacuna/kafka';
import { deadLetterTopic, type EventLog } from '@lacuna/messaging';
import { topics } from '@lacuna/events';
import { LOG_SCHEMA, openDatabase, PostgresEventLog, type PostgresDatabase } from '@lacuna/postgres';
import { allTopics } from '@lacuna/runtime';
import { freshDatabase, type FreshDatabase } from '@lacuna/testing';
import kafkajs from 'kafkajs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startKafka } from '../../../tools/kafka.mjs';
import { silentLogger } from '../src/silent-logger.js';
import { readers } from '../src/topics/readers.js';
import { aDeadLetter } from './a-dead-letter.js';
import { runLacuna } from './run-lacuna.js';

const searches = deadLetterTopic(topics.searches, 'verdict');

/** What both logs must show of the same letters: seven of verdict, one of gateway whose payload is no text. */
function listsDeadLetters(log: () => EventLog, env: () => Record<string, string>): void {
  const list = (...args: string[]) => runLacuna(['dlq', 'list', ...args], env());

  it('counts each topic, and shows why the newest failed and where they were; fails when an operator cannot find the original', async () => {
    await log().publish([
      ...Array.from({ length: 7 }, (_, index) => aDeadLetter(topics.searches, 'verdict', index)),
      aDeadLetter(topics.verdicts, 'gateway', 9, '\u00ff\u00fe'),
    ]);
    const { exitCode, out, err } = await list('--json', '--newest', '3');
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
    const found = JSON.parse(out) as { total: number; topics: { topic: string; count: number; newest: Record<string, unknown>[] }[] };
    expect(found.total).toBe(8);
    const { count, newest } = found.topics.find(({ topic }) => topic === searches) ?? { count: 0, newest: [] };
    expect(count).toBe(7);
    expect(newest.map(({ original }) => original)).toEqual(
      ['106', '105', '104'].map((offset) => ({ topic: topics.searches, partition: '1', offset })),
    );
    expect(newest[0]).toMatchObject({ reason: 'invalid', key: 't1:q-6', type: 'lacuna.page.read', bytes: 7 });
  });

  it('prints no payload that was not asked for; fails when personal data reaches a terminal by default', async () => {
    expect((await list('--json')).out).not.toContain('payload');
    const { out } = await list('--topic', topics.verdicts, '--payload', '--json');
    expect(out).toContain(`"payload":{"base64":"${Buffer.from('\u00ff\u00fe', 'latin1').toString('base64')}"}`);
  });

  it('reads for people, with nothing that moves the cursor', async () => {
    const { out } = await list('--newest', '2');
    expect(out).toContain(`${searches}  7\n`);
    expect(out).toContain('member 6 is missing\\u001b[31m');
    expect(out).toContain('  and 5 older\n');
    expect(out).toContain('8 dead letters in ');
    expect(out).not.toContain('{"n":');
  });

  it('lists one topic alone, by either name', async () => {
    for (const name of [topics.searches, searches]) {
      const { out } = await list('--topic', name, '--json');
      expect(JSON.parse(out)).toMatchObject({ total: 7 });
    }
    expect(await list('--topic', 'lacuna.nothing.v1')).toMatchObject({ exitCode: 2, out: '' });
  });
}

/** The letters of `listsDeadLetters`, settled; nothing consumes here. */
function settlesDeadLetters(log: () => EventLog, env: () => Record<string, string>): void {
  const dlq = (...args: string[]) => runLacuna(['dlq', ...args], env());
  const openLetters = async (): Promise<{ partition: number; offset: string; settled: unknown }[]> => {
    const { out } = await dlq('list', '--topic', searches, '--newest', '100', '--json');
    return (JSON.parse(out) as { topics: { newest: { partition: number; offset: string; settled: unknown }[] }[] }).topics[0]?.newest ?? [];
  };
  const placeOf = ({ partition, offset }: { partition: number; offset: string }) => `${partition}/${offset}`;
  const everything = async (topic: string) => {
    const parts = [...(await log().ends(topic))].map(async ([partition, end]) =>
      end > 0n ? log().read({ topic, partition }, 0n, 100) : [],
    );
    return (await Promise.all(parts)).flat();
  };

  it('puts one back byte for byte and counts it no more; fails when an operator cannot tell what is still to be done', async () => {
    const before = await openLetters();
    const [letter] = before;
    if (!letter) throw new Error('no letter');
    const shown = JSON.parse((await dlq('show', searches, placeOf(letter), '--json')).out) as { letters: { payload: { text: string } }[] };
    expect(await dlq('requeue', searches, placeOf(letter))).toMatchObject({ exitCode: 0, out: `requeued 1 of ${searches}\n` });
    const back = (await everything(topics.searches)).at(-1);
    expect(back?.value?.toString()).toBe(shown.letters[0]?.payload.text);
    expect(back?.headers['requeued.group']?.toString()).toBe('verdict');
    expect((await openLetters()).map(placeOf)).toEqual(before.slice(1).map(placeOf));
    expect((await dlq('show', searches, placeOf(letter))).out).toContain('requeued 20');
  });

  it('refuses to put back what was put back, and a letter that is not there, and sends nothing; fails when one effect becomes two', async () => {
    const [settled] = (await everything(searches)).filter(({ headers }) => headers['letter.action'] !== undefined);
    const place = `${settled?.headers['letter.partition']?.toString()}/${settled?.headers['letter.offset']?.toString()}`;
    const before = (await everything(topics.searches)).length;
    expect(await dlq('requeue', searches, place)).toMatchObject({ exitCode: 1, err: expect.stringContaining('has been requeued') });
    expect(await dlq('requeue', searches, '0/999999')).toMatchObject({ exitCode: 1, err: expect.stringContaining('no letter 0/999999') });
    expect(await dlq('requeue', searches)).toMatchObject({ exitCode: 2 });
    expect(await dlq('requeue', topics.searches, '--all')).toMatchObject({ exitCode: 2 });
    expect(await everything(topics.searches)).toHaveLength(before);
  });

  it('drops the others with a reason, which is said where they came from; fails when a message that was given up is handled', async () => {
    const before = (await everything(topics.searches)).length;
    const open = (await openLetters()).length;
    expect(await dlq('drop', searches, '--all')).toMatchObject({ exitCode: 2, err: expect.stringContaining('--reason') });
    expect(await dlq('drop', searches, '--all', '--reason', 'asked anew')).toMatchObject({ exitCode: 0 });
    expect(await openLetters()).toEqual([]);
    const said = await everything(topics.searches);
    const drops = said.filter(({ headers }) => headers['requeued.dropped']?.toString() === 'true');
    expect([said.length, drops.length]).toEqual([before + open, open]);
    expect(drops.every(({ value }) => (value?.length ?? 0) === 0)).toBe(true);
  });
}

describe('lacuna dlq, on the Postgres log', () => {
  let fresh: FreshDatabase;
  let database: PostgresDatabase;
  let log: PostgresEventLog;
  beforeAll(async () => {
    fresh = await freshDatabase();
    database = await openDatabase({ url: fresh.url, schema: LOG_SCHEMA, applicationName: 'test', poolMax: 2 });
    log = new PostgresEventLog(database);
    await log.ensureTopics(allTopics(readers, 2));
  });
  afterAll(async () => {
    await database?.close();
    await fresh?.drop();
  });

  listsDeadLetters(
    () => log,
    () => ({ LACUNA_DATABASE_URL: fresh.url }),
  );
  settlesDeadLetters(
    () => log,
    () => ({ LACUNA_DATABASE_URL: fresh.url }),
  );

  it('says what to start when the database is away', async () => {
    const { exitCode, err } = await runLacuna(['dlq', 'list'], { LACUNA_DATABASE_URL: 'postgres://a:b@127.0.0.1:1/c' });
    expect({ exitCode, lines: err.trimEnd().split('\n').length }).toEqual({ exitCode: 1, lines: 1 });
    expect(err).toContain('127.0.0.1:1 does not answer');
  });
});

describe.skipIf(!process.env.LACUNA_TEST_KAFKA_BROKERS)('on a Kafka without topics', () => {
  let kafka: Awaited<ReturnType<typeof startKafka>>;
  let env: Record<string, string>;
  beforeAll(async () => {
    // One of its own: other specs rely on topics that are missing, or have names, in the Kafka of the run.
    kafka = await startKafka({ own: true });
    env = { LACUNA_LOG: 'kafka', KAFKA_BROKERS: kafka.brokers };
  });
  afterAll(() => kafka?.stop());

  const apply = (...args: string[]) => runLacuna(['topics', 'apply', ...args], env);
  const withAdmin = async <T>(work: (admin: kafkajs.Admin) => Promise<T>): Promise<T> => {
    const admin = new kafkajs.Kafka({ brokers: [kafka.brokers], logLevel: kafkajs.logLevel.NOTHING }).admin();
    await admin.connect();
    return work(admin).finally(() => admin.disconnect());
  };

  it('dlq list says how topics are made', async () => {
    expect(await runLacuna(['dlq', 'list'], env)).toMatchObject({ exitCode: 0, out: expect.stringContaining('lacuna topics apply') });
  });

  it('topics apply refuses more copies than there are brokers, in one line, and makes nothing', async () => {
    const ran = await apply('--replication', '3');
    expect(ran).toMatchObject({ exitCode: 1, err: expect.stringMatching(/replication/i) });
    expect(ran.err.trimEnd().split('\n')).toHaveLength(1);
    expect(await withAdmin((admin) => admin.listTopics())).toEqual([]);
  });

  it('topics apply makes every topic of the catalogue with its dead-letter topics, and says so', async () => {
    const { exitCode, out, err } = await apply('--partitions', '2');
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
    const expected = allTopics(readers, 2).map(({ topic }) => topic);
    for (const topic of expected) expect(out).toContain(`made ${topic} (2 partitions, `);
    expect((await withAdmin((admin) => admin.listTopics())).sort()).toEqual([...expected].sort());
  });

  it('topics apply changes nothing the second time, and names what is kept otherwise; fails when it alters or deletes', async () => {
    const topic = topics.receipts;
    const resource = { type: kafkajs.ConfigResourceTypes.TOPIC, name: topic };
    const configEntries = [
      { name: 'cleanup.policy', value: 'delete' },
      { name: 'retention.ms', value: '60000000' },
    ];
    await withAdmin(async (admin) => {
      await admin.alterConfigs({ validateOnly: false, resources: [{ ...resource, configEntries }] });
      // The broker follows its controller a moment later.
      const shown = async () =>
        (await admin.describeConfigs({ resources: [resource], includeSynonyms: false })).resources[0]?.configEntries;
      await expect.poll(shown, { timeout: 10_000 }).toContainEqual(expect.objectContaining({ configValue: '60000000' }));
    });
    const { exitCode, out, err } = await apply('--partitions', '5');
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: '29 topics: 0 made, 29 were there\n' });
    expect(err).toMatch(/^drift: lacuna\.receipts\.v1: retention\.ms is 60000000, should be -1 .*\n$/);
    const described = await withAdmin((admin) => admin.fetchTopicMetadata({ topics: [topic] }));
    expect(described.topics[0]?.partitions).toHaveLength(2);
  });

  describe('lacuna dlq', () => {
    let log: KafkaEventLog;
    beforeAll(async () => {
      log = new KafkaEventLog({ brokers: [kafka.brokers], clientId: 'test', logger: silentLogger });
      await log.start();
    });
    afterAll(() => log?.stop());

    listsDeadLetters(
      () => log,
      () => env,
    );
    settlesDeadLetters(
      () => log,
      () => env,
    );

    it('counts what is left after old letters expired; fails when the end of the log is taken for a count', async () => {
      const before = [...(await log.ends(searches))].map(([partition, end]) => ({ partition, offset: String(end) }));
      await withAdmin(async (admin) => {
        await admin.fetchTopicMetadata({ topics: [searches] });
        await admin.deleteTopicRecords({ topic: searches, partitions: before });
      });
      await log.publish([aDeadLetter(topics.searches, 'verdict', 20)]);
      const { out } = await runLacuna(['dlq', 'list', '--topic', searches, '--json'], env);
      expect(JSON.parse(out)).toMatchObject({ total: 1, topics: [{ count: 1, newest: [{ original: { offset: '120' } }] }] });
    });
  });
});
