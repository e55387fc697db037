import { deadLetterTopic, type LogMessage, type PartitionHandler, type TopicPartition } from '@lacuna/messaging';
import { freshId, freshServiceDatabase, type ServiceDatabase } from '@lacuna/testing';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PostgresEventLog } from './postgres-event-log.js';

let service: ServiceDatabase;
let log: PostgresEventLog;
let topic: string;
beforeAll(async () => {
  service = await freshServiceDatabase('gateway', [], { poolMax: 24 });
  log = new PostgresEventLog(service.database);
  await log.start();
});
afterAll(() => service.drop());
beforeEach(async () => {
  topic = freshId('lacuna.test');
  await ensure(topic, 1);
});

const ensure = (name: string, partitions: number) => log.ensureTopics([{ topic: name, partitions, cleanup: 'delete', retentionMs: -1 }]);
const message = (key: string, text: string, of = topic) => ({ topic: of, key: Buffer.from(key), value: Buffer.from(text), headers: {} });

/** Notes what it is given; positions in memory. */
class Notebook implements PartitionHandler {
  readonly messages: LogMessage[] = [];
  readonly takenOver: TopicPartition[] = [];
  onMessages: () => void = () => undefined;
  async takeOver(at: TopicPartition, bounds: { readonly logStart: bigint }): Promise<bigint> {
    this.takenOver.push(at);
    return (this.messages.filter((one) => one.partition === at.partition).at(-1)?.offset ?? bounds.logStart - 1n) + 1n;
  }
  async handle(_at: TopicPartition, messages: readonly LogMessage[]): Promise<void> {
    this.messages.push(...messages);
    this.onMessages();
  }
  release(): void {}
}

const consume = (group: string, handler: PartitionHandler, on = log) =>
  on.consume({ group, topics: [topic], handler, batchMessagesMax: 100, onFatal: () => undefined });
const until = async (isSo: () => boolean, elapsedMsMax = 20_000) => {
  for (const endsAt = Date.now() + elapsedMsMax; !isSo();) {
    if (Date.now() > endsAt) throw new Error(`not within ${elapsedMsMax} ms`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
};

describe('the log in PostgreSQL', () => {
  it('shows positions in their order while 16 writers commit at once: a reader that follows misses none', async () => {
    const notebook = new Notebook();
    const consumer = await consume(freshId('group'), notebook);
    await Promise.all(
      Array.from({ length: 16 }, async (_, writer) => {
        for (let round = 0; round < 25; round += 1) {
          await service.database.transaction(async (tx) => {
            await log.appendIn(tx, [message(`w-${writer}`, `${writer}/${round}`)]);
            if (round % 5 === 0) await tx.query('select pg_sleep(0.002)');
          });
        }
      }),
    );
    await until(() => notebook.messages.length >= 400);
    await consumer.stop();
    expect(notebook.messages.map((one) => one.offset)).toEqual(Array.from({ length: 400 }, (_, index) => BigInt(index)));
  });

  it('leaves no gap behind a transaction that rolls back after it drew positions', async () => {
    await service.database
      .transaction(async (tx) => {
        await log.appendIn(tx, [message('k', 'dropped')]);
        throw new Error('no');
      })
      .catch(() => undefined);
    await log.publish([message('k', 'kept')]);
    expect((await log.read({ topic, partition: 0 }, 0n, 10)).map((one) => [one.offset, one.value?.toString()])).toEqual([[0n, 'kept']]);
  });

  it('does not deadlock writers that name the same topics in opposite order: heads are locked sorted', async () => {
    const other = deadLetterTopic(topic, 'group');
    await ensure(other, 1);
    const both = [message('k', 'a'), message('k', 'b', other)];
    await Promise.all(
      Array.from({ length: 8 }, async (_, writer) => {
        for (let round = 0; round < 20; round += 1) await log.publish(writer % 2 === 0 ? both : [...both].reverse());
      }),
    );
    expect((await log.ends(topic)).get(0)).toBe(160n);
    expect((await log.ends(other)).get(0)).toBe(160n);
  });

  it('keeps the partitions of a topic that is there: its keys stay where they are', async () => {
    await ensure(topic, 7);
    expect([...(await log.ends(topic)).keys()]).toEqual([0]);
  });

  it('reads by bytes too: large messages come in several batches, and one larger than a batch comes alone', async () => {
    const large = 'x'.repeat(3_000_000);
    await log.publish(Array.from({ length: 4 }, () => message('k', large)));
    await log.publish([message('k', large.repeat(4))]);
    const at = { topic, partition: 0 };
    expect((await log.read(at, 0n, 100)).map((one) => one.offset)).toEqual([0n, 1n]);
    expect((await log.read(at, 4n, 100)).map((one) => one.value?.length)).toEqual([12_000_000]);
  });

  it('wakes a consumer of this process within milliseconds, and one that hears no wake-up at its next look', async () => {
    const notebook = new Notebook();
    const consumer = await consume(freshId('group'), notebook);
    await until(() => notebook.takenOver.length === 1);
    const elapsedMs: number[] = [];
    for (let round = 0; round < 20; round += 1) {
      const handled = new Promise<void>((resolve) => (notebook.onMessages = resolve));
      const beganAt = performance.now();
      await log.publish([message('k', 'quick')]);
      await handled;
      elapsedMs.push(performance.now() - beganAt);
    }
    expect(elapsedMs.sort((a, b) => a - b)[10]).toBeLessThan(50);
    await outside(
      `select lacuna_log.append(array['${topic}'], array[0], array['k'::bytea], array['from outside'::bytea], array['{}'::json])`,
    );
    await until(() => notebook.messages.some((one) => one.value?.toString() === 'from outside'), 2_000);
    await consumer.stop();
  });

  it('lets one of two consumers of a group read a partition, and the other take over when its connection dies', async () => {
    const group = freshId('group');
    const [first, second] = [new Notebook(), new Notebook()];
    const consumers = [await consume(group, first)];
    await until(() => first.takenOver.length === 1);
    consumers.push(await consume(group, second, new PostgresEventLog(service.database)));
    await log.publish([message('k', 'one')]);
    await until(() => first.messages.length === 1);
    expect(second.takenOver).toEqual([]);
    await consumers[0]?.stop();
    await until(() => second.takenOver.length === 1, 3_000);
    await outside(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'lacuna partitions of ${group}'`);
    await until(() => second.takenOver.length === 2, 5_000);
    await log.publish([message('k', 'two')]);
    await until(() => second.messages.some((one) => one.value?.toString() === 'two'));
    await consumers[1]?.stop();
  });

  it('says what to do when its tables are missing', async () => {
    await outside('alter schema lacuna_log rename to away');
    await expect(new PostgresEventLog(service.database).start()).rejects.toThrow(/has no event log: run its migrations/);
    await outside('alter schema away rename to lacuna_log');
  });
});

async function outside(sql: string): Promise<void> {
  const client = new Client({ connectionString: service.adminUrl });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}
