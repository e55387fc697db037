import { BatchLoop, deadLetterTopic, type TopicSettings } from '@lacuna/messaging';
import { freshId, freshServiceDatabase, type ServiceDatabase } from '@lacuna/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { daysKept, tidyLog } from './log-retention.js';
import { PostgresEventLog } from './postgres-event-log.js';
import { PostgresOutboxStore } from './postgres-outbox-store.js';
import { PostgresPositionStore } from './postgres-position-store.js';

const DAY_MS = 86_400_000;
const later = (days: number) => new Date(Date.now() + days * DAY_MS);

let service: ServiceDatabase;
let log: PostgresEventLog;
beforeAll(async () => {
  service = await freshServiceDatabase('verdict');
  log = new PostgresEventLog(service.database);
  await log.start();
});
afterAll(() => service.drop());

async function topicWith(settings: Pick<TopicSettings, 'cleanup' | 'retentionMs'>, messages = 5): Promise<string> {
  const topic = freshId('lacuna.test');
  await log.ensureTopics([{ topic, partitions: 1, ...settings }]);
  for (let index = 0; index < messages; index += 1)
    await log.publish([{ topic, key: Buffer.from('k'), value: Buffer.from(String(index)), headers: {} }]);
  return topic;
}
const textsOf = async (topic: string) =>
  (await log.read({ topic, partition: 0 }, 0n, 100)).map((message) => [Number(message.offset), message.value?.toString()]);
const ALL = [0, 1, 2, 3, 4].map((n) => [n, String(n)]);

describe('how long the Postgres log keeps its events', () => {
  // Fails if a receipt can be dropped, whatever the time (K2).
  it('keeps a topic without a retention, and a compacted one, for ever', async () => {
    const receipts = await topicWith({ cleanup: 'delete', retentionMs: -1 });
    const registers = await topicWith({ cleanup: 'compact', retentionMs: DAY_MS });
    await tidyLog(service.database, later(20_000));
    expect(await textsOf(receipts)).toEqual(ALL);
    expect(await textsOf(registers)).toEqual(ALL);
  });

  // Fails if an event goes before its time, or the table of its week stays after it.
  it('drops a week once its last moment is older than its topics are kept, and not before', async () => {
    const topic = await topicWith({ cleanup: 'delete', retentionMs: 30 * DAY_MS });
    const other = await topicWith({ cleanup: 'delete', retentionMs: 90 * DAY_MS });
    await tidyLog(service.database, later(30));
    expect(await textsOf(topic)).toEqual(ALL);
    const dropped = await tidyLog(service.database, later(38));
    expect(dropped).toContainEqual(expect.stringMatching(/^event_d30_\d{8}$/));
    expect(await textsOf(topic)).toEqual([]);
    expect(await textsOf(other)).toEqual(ALL);
  });

  // Fails if an append depends on an hourly timer having run in time (K1).
  it('has a place for an event although nobody made its week', async () => {
    const topic = await topicWith({ cleanup: 'delete', retentionMs: 3 * DAY_MS }, 0);
    const periods = await service.database.query<{ relname: string }>(`select relname from pg_class where relname ~ '^event_d3_[0-9]{8}$'`);
    expect(periods.length).toBeGreaterThan(1);
    for (const { relname } of periods) await service.database.query(`drop table lacuna_log.${relname}`);
    await log.publish([{ topic, key: Buffer.from('k'), value: Buffer.from('0'), headers: {} }]);
    expect(await textsOf(topic)).toEqual([[0, '0']]);
  });

  // Fails if a group that was away for longer than its topic is kept goes on as if nothing were missing (B7).
  it('stops a group whose position was dropped, with advice; one that has handled all of it goes on', async () => {
    const topic = await topicWith({ cleanup: 'delete', retentionMs: 7 * DAY_MS });
    await tidyLog(service.database, later(15));
    await log.publish([{ topic, key: Buffer.from('k'), value: Buffer.from('new'), headers: {} }]);
    const positions = new PostgresPositionStore();
    const at = { topic, partition: 0 };
    const start = async (handledUpTo: bigint) => {
      const group = freshId('group');
      await log.ensureTopics([{ topic: deadLetterTopic(topic, group), partitions: 1, cleanup: 'delete', retentionMs: -1 }]);
      await service.database.transaction((tx) => positions.begin(tx, group, at, handledUpTo));
      const fatal = new Promise<Error>((onFatal) => {
        const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
        const loop = new BatchLoop({
          group,
          producer: 'verdict',
          database: service.database,
          log,
          positions,
          outbox: new PostgresOutboxStore(),
          handlers: new Map([[topic, async () => []]]),
          clock: { now: () => new Date() },
          logger: quiet,
        });
        void log.consume({ group, topics: [topic], handler: loop, batchMessagesMax: 10, onFatal });
      });
      return { group, fatal };
    };
    expect((await (await start(2n)).fatal).message).toMatch(/up to 2, before the log's first message 5\. Messages were removed/);
    const { group } = await start(5n);
    await expect.poll(() => service.database.transaction((tx) => positions.read(tx, group, at)), { timeout: 20_000 }).toBe(6n);
    await log.stop();
  });

  it.each([
    [{ cleanup: 'delete', retentionMs: -1 }, 0],
    [{ cleanup: 'compact', retentionMs: DAY_MS }, 0],
    [{ cleanup: 'delete', retentionMs: 30 * DAY_MS }, 30],
    [{ cleanup: 'delete', retentionMs: DAY_MS + 1 }, 2],
    [{ cleanup: 'delete', retentionMs: 0 }, 1],
  ] as const)('keeps %o for %i whole days, never for less than was asked', (settings, days) => {
    expect(daysKept(settings)).toBe(days);
  });
});
