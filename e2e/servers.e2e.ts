import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

describe('the PostgreSQL that we start in a folder', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'lacuna servers '));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('starts where an earlier first start was interrupted, and is the same cluster the next time', async () => {
    const unfinished = join(folder, 'cluster.new-1');
    mkdirSync(join(unfinished, 'data'), { recursive: true });
    writeFileSync(join(unfinished, 'data', 'PG_VERSION'), '18\n');
    const first = await startPostgres({ own: true, dataFolder: folder });
    await first.stop();
    expect(existsSync(unfinished)).toBe(false);
    const second = await startPostgres({ own: true, dataFolder: folder });
    await second.stop();
    expect(new URL(second.appUrl).password).toBe(new URL(first.appUrl).password);
  });

  it('ends with the process that started it, also when that is killed', async () => {
    const script = `
      import { startPostgres } from ${JSON.stringify(new URL('../tools/postgres.mjs', import.meta.url).href)};
      console.log((await startPostgres({ own: true, dataFolder: process.argv[1] })).pid);
      setInterval(() => undefined, 1000);`;
    const owner = spawn(process.execPath, ['--input-type=module', '-e', script, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = await once(owner.stdout, 'data');
    const pid = Number(String(line));
    expect(isRunning(pid)).toBe(true);
    owner.kill('SIGKILL');
    await expect.poll(() => isRunning(pid), { timeout: 15_000 }).toBe(false);
  });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

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
