import { Kafka, logLevel } from 'kafkajs';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startKafka } from '../tools/kafka.mjs';
import { startPostgres } from '../tools/postgres.mjs';

describe('the PostgreSQL that we start', () => {
  let server: Awaited<ReturnType<typeof startPostgres>>;
  beforeAll(async () => {
    server = await startPostgres({ own: true });
  });
  afterAll(() => server?.stop());

  const ask = async (sql: string, url = server.appUrl) => {
    const client = new pg.Client(url);
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  };

  it('gives the application a role that row-level security binds', async () => {
    const [role] = await ask('SELECT rolsuper, rolbypassrls, rolcreatedb, rolcanlogin FROM pg_roles WHERE rolname = current_user');
    expect(role).toEqual({ rolsuper: false, rolbypassrls: false, rolcreatedb: true, rolcanlogin: true });
  });

  it('lets the application make databases of its own', async () => {
    await ask('CREATE DATABASE made_by_a_test');
    const [row] = await ask("SELECT pg_get_userbyid(datdba) AS owner FROM pg_database WHERE datname = 'made_by_a_test'", server.adminUrl);
    expect(row).toEqual({ owner: 'lacuna' });
  });

  it('has what was committed after it was killed', async () => {
    await ask('CREATE TABLE kept (number int); INSERT INTO kept SELECT generate_series(1, 1000)');
    const pid = server.pid;
    await server.kill9();
    await expect(ask('SELECT 1')).rejects.toThrow();
    await server.restart();
    expect(server.pid).not.toBe(pid);
    expect(await ask('SELECT count(*)::int AS count FROM kept')).toEqual([{ count: 1000 }]);
  });
});

describe.skipIf(!process.env.LACUNA_TEST_KAFKA_BROKERS)('the Kafka that we start', () => {
  let server: Awaited<ReturnType<typeof startKafka>>;
  beforeAll(async () => {
    server = await startKafka({ own: true });
  });
  afterAll(() => server?.stop());

  const client = () => new Kafka({ brokers: server.brokers.split(','), logLevel: logLevel.NOTHING });

  it('makes no topic that nobody asked for', async () => {
    const producer = client().producer({ retry: { retries: 0 } });
    await producer.connect();
    await expect(producer.send({ topic: 'never-made', messages: [{ value: 'x' }] })).rejects.toThrow();
    await producer.disconnect();
  });

  it('has what was acknowledged after it was killed', async () => {
    const admin = client().admin();
    const producer = client().producer();
    await Promise.all([admin.connect(), producer.connect()]);
    await admin.createTopics({ topics: [{ topic: 'kept', numPartitions: 1 }], waitForLeaders: true });
    await producer.send({ topic: 'kept', acks: -1, messages: Array.from({ length: 100 }, (_, index) => ({ value: `${index}` })) });
    await server.kill9();
    await server.restart();
    expect(await admin.fetchTopicOffsets('kept')).toMatchObject([{ partition: 0, low: '0', high: '100' }]);
    await Promise.all([admin.disconnect(), producer.disconnect()]);
  });
});
