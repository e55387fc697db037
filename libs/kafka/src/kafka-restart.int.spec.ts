import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startKafka } from '../../../tools/kafka.mjs';
import { freshName, freshTopic, kafkaLog, message, NotingHandler, testBrokers, until } from '../test/test-kafka.js';
import type { KafkaEventLog } from './kafka-event-log.js';

/** A broker of its own, to be killed: it is started where the test run has a Kafka at all. */
describe.skipIf(testBrokers().length === 0)('a Kafka broker that is killed and comes back', () => {
  let broker: Awaited<ReturnType<typeof startKafka>>;
  const logs: KafkaEventLog[] = [];

  beforeAll(async () => {
    broker = await startKafka({ own: true });
  }, 120_000);
  afterAll(() => broker.stop());
  afterEach(async () => {
    await Promise.allSettled(logs.splice(0).map((log) => log.stop()));
  });

  async function connected(settings: Parameters<typeof kafkaLog>[1] = {}): Promise<KafkaEventLog> {
    const log = kafkaLog([broker.brokers], settings);
    await log.start();
    logs.push(log);
    return log;
  }

  it('loses nothing that was acknowledged, in order, and is used again by the same clients; fails when a client has to be made anew', async () => {
    const log = await connected();
    const topic = await freshTopic(log, 3);
    const handler = new NotingHandler();
    const fatal: Error[] = [];
    const options = {
      group: freshName('group'),
      topics: [topic],
      handler,
      batchMessagesMax: 50,
      onFatal: (error: Error) => fatal.push(error),
    };
    const consumer = await log.consume(options);
    const publishing = publishSequences(log, topic, 8, 150);
    publishing.catch(() => undefined);
    await until('publishing is under way', () => handler.handled.length > 100);
    await broker.kill9();
    await broker.restart();
    await publishing;
    await until('all is handled', () => new Set(handler.texts()).size === 8 * 150, 90_000);
    expect(fatal).toEqual([]);
    expect(consumer.isRunning()).toBe(true);
    expect(outOfOrder(handler.texts())).toEqual([]);
    await log.ping();
  }, 300_000);

  it('ends a consumer for which it stays away too long; fails when a service waits for ever and looks alive', async () => {
    const log = await connected({ brokerAwayMsMax: 2_000 });
    const topic = await freshTopic(log, 1);
    let tell: (error: Error) => void = () => undefined;
    const fatal = new Promise<Error>((resolve) => (tell = resolve));
    await log.consume({ group: freshName('group'), topics: [topic], handler: new NotingHandler(), batchMessagesMax: 10, onFatal: tell });
    await broker.kill9();
    expect((await fatal).message).toMatch(/consumer crashed/);
    await expect(log.ping()).rejects.toMatchObject({ name: 'LogUnreachableError' });
    await expect(log.publish([message(topic, 'k', 'v')])).rejects.toMatchObject({ name: 'LogUnreachableError' });
    await broker.restart();
    await log.publish([message(topic, 'k', 'v')]);
  }, 120_000);
});

/** A broker on a busy machine may take a minute to come back; an attempt takes about a second. */
const ATTEMPTS_MAX = 100;

/** Each writer sends its numbers one after the other and repeats what was not acknowledged. */
async function publishSequences(log: KafkaEventLog, topic: string, writers: number, perWriter: number): Promise<void> {
  const write = async (writer: number) => {
    for (let number = 0; number < perWriter; number += 1) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          await log.publish([message(topic, `writer-${writer}`, `${writer}:${number}`)]);
          break;
        } catch (error) {
          if (attempt >= ATTEMPTS_MAX) throw error;
        }
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
}

/** Numbers of a writer that came before one of their predecessors had. */
function outOfOrder(texts: readonly string[]): string[] {
  const newest = new Map<string, number>();
  return texts.filter((text) => {
    const [writer = '', number = ''] = text.split(':');
    const before = newest.get(writer) ?? -1;
    newest.set(writer, Math.max(before, Number(number)));
    return Number(number) > before + 1;
  });
}
