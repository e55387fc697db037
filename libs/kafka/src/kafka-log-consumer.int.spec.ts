import { PositionOutsideLogError, type ConsumeOptions, type LogConsumer } from '@lacuna/messaging';
import { Kafka, logLevel, type Admin } from 'kafkajs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freshName, freshTopic, kafkaLog, message, NotingHandler, testBrokers, until } from '../test/test-kafka.js';
import type { KafkaEventLog } from './kafka-event-log.js';

const brokers = testBrokers();
const PARTITIONS = 3;

describe.skipIf(brokers.length === 0)('the Kafka consumer', () => {
  let admin: Admin;
  let log: KafkaEventLog;
  let topic: string;
  let group: string;
  let handler: NotingHandler;
  const consumers: LogConsumer[] = [];

  beforeAll(async () => {
    admin = new Kafka({ brokers, logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
  });
  afterAll(() => admin.disconnect());

  beforeEach(async () => {
    log = kafkaLog(brokers);
    await log.start();
    topic = await freshTopic(log, PARTITIONS);
    group = freshName('group');
    handler = new NotingHandler();
  });
  afterEach(async () => {
    await Promise.all(consumers.splice(0).map((consumer) => consumer.stop()));
    await log.stop();
  });

  async function consume(
    options: Partial<ConsumeOptions> = {},
    by: KafkaEventLog = log,
  ): Promise<{ consumer: LogConsumer; fatal: Promise<Error> }> {
    let tell: (error: Error) => void = () => undefined;
    const fatal = new Promise<Error>((resolve) => (tell = resolve));
    const consumer = await by.consume({ group, topics: [topic], handler, batchMessagesMax: 10, onFatal: tell, ...options });
    consumers.push(consumer);
    return { consumer, fatal };
  }

  async function publish(count: number, from = 0): Promise<string[]> {
    const texts = Array.from({ length: count }, (_, index) => String(from + index));
    await log.publish(texts.map((text) => message(topic, `key-${Number(text) % 20}`, text)));
    return texts;
  }

  const sorted = (texts: readonly string[]) => [...texts].sort((a, b) => Number(a) - Number(b));
  const handledAll = (count: number) => until(`${count} messages are handled`, () => handler.handled.length >= count);

  it('takes over every partition of an empty topic; fails when a takeover waits for a message and an outbox row stays unpublished', async () => {
    await consume();
    await until('all partitions are taken over', () => new Set(handler.takenOver).size === PARTITIONS);
  });

  it.each([
    ['ahead of', (end: bigint) => end],
    ['behind', () => 0n],
  ])('reads from the position when the committed offset is %s it; fails when the committed offset is trusted', async (_, committed) => {
    const texts = await publish(60);
    const ends = await log.ends(topic);
    for (const [partition, end] of ends) handler.positions.set(`${topic}/${partition}`, end / 2n);
    const partitions = [...ends].map(([partition, end]) => ({ partition, offset: String(committed(end)) }));
    await admin.setOffsets({ groupId: group, topic, partitions });
    const expected = [...ends.values()].reduce((sum, end) => sum + Number(end - end / 2n), 0);
    await consume();
    await handledAll(expected);
    await publish(1, texts.length);
    await handledAll(expected + 1);
    expect(handler.handled).toHaveLength(expected + 1);
  });

  it('commits the offset behind the last message; fails when lag never falls and scaling never ends', async () => {
    await publish(60);
    await consume();
    const ends = await log.ends(topic);
    await until('the committed offsets are the ends', async () => {
      const [offsets] = await admin.fetchOffsets({ groupId: group, topics: [topic] });
      return (offsets?.partitions ?? []).every(({ partition, offset }) => BigInt(offset) === (ends.get(partition) ?? 0n));
    });
  });

  it('hands over at most the asked number of messages at once, in order', async () => {
    let most = 0;
    handler.before = (messages) => void (most = Math.max(most, messages.length));
    const texts = await publish(400);
    await consume({ batchMessagesMax: 7 });
    await handledAll(400);
    expect(most).toBe(7);
    expect(sorted(handler.texts())).toEqual(texts);
    for (const { partition } of handler.handled) {
      const offsets = handler.handled.filter((one) => one.partition === partition).map(({ offset }) => Number(offset));
      expect(offsets).toEqual([...offsets].sort((a, b) => a - b));
      break;
    }
  });

  it('keeps its partitions through a batch longer than the session; fails when heartbeats stop while a batch is handled', async () => {
    const patient = kafkaLog(brokers, { sessionTimeoutMs: 1_500 });
    await patient.start();
    await publish(5);
    let calls = 0;
    handler.before = async () => {
      calls += 1;
      if (calls === 1) await new Promise((resolve) => setTimeout(resolve, 5_000));
    };
    await consume({}, patient);
    await handledAll(5);
    expect(sorted(handler.texts())).toEqual(['0', '1', '2', '3', '4']);
    await publish(1, 5);
    await handledAll(6);
    expect(handler.takenOver).toHaveLength(PARTITIONS);
    await patient.stop();
  });

  it('gives up a failed batch, takes its partition over and handles all of it; fails when kafkajs goes on behind it', async () => {
    const texts = await publish(60);
    let failures = 0;
    handler.before = () => {
      failures += 1;
      if (failures % 3 === 1 && failures < 12) throw new Error('the database is away');
    };
    await consume();
    await handledAll(60);
    expect(sorted(handler.texts())).toEqual(texts);
    expect(handler.takenOver.length).toBeGreaterThan(PARTITIONS);
  });

  it('ends and says so once when a partition fails again and again; fails when it loops for ever', async () => {
    const told: Error[] = [];
    handler.before = () => {
      throw new Error('never');
    };
    handler.takeOver = async () => {
      throw new Error('the database is away');
    };
    const { consumer } = await consume({ onFatal: (error) => told.push(error) });
    await until('it has ended', () => told.length > 0, 40_000);
    await consumer.stop();
    expect(told.map(({ message: text }) => text)).toEqual(['the database is away']);
    expect(consumer.isRunning()).toBe(false);
  });

  it('notices messages that were removed before they were handled; fails when kafkajs silently jumps to the new start', async () => {
    await publish(60);
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let inHand = 0;
    handler.before = () => {
      inHand += 1;
      return held;
    };
    handler.takeOver = async (at, { logStart }) => {
      const position = handler.positions.get(`${at.topic}/${at.partition}`) ?? 0n;
      if (position < logStart) throw new PositionOutsideLogError(`${position} is before ${logStart}`);
      return position;
    };
    const { fatal } = await consume({ batchMessagesMax: 1 });
    await until('a batch of each partition is in hand', () => inHand === PARTITIONS);
    await publish(600, 60);
    const ends = await log.ends(topic);
    await admin.fetchTopicOffsets(topic);
    await admin.deleteTopicRecords({ topic, partitions: [...ends].map(([partition, end]) => ({ partition, offset: String(end) })) });
    await publish(60, 660);
    release();
    expect((await fatal).name).toBe('PositionOutsideLogError');
  });

  it('shares the partitions with a second member and takes them back; fails when a rebalance loses or doubles a partition', async () => {
    const other = new NotingHandler();
    const second = kafkaLog(brokers);
    await second.start();
    await consume();
    await publish(200);
    const { consumer } = await consume({ handler: other }, second);
    await until('the second has some', () => other.takenOver.length > 0);
    await until('the first has given some up', () => handler.released.length > 0);
    for (const [name, position] of handler.positions) if (!other.positions.has(name)) other.positions.set(name, position);
    await consumer.stop();
    await second.stop();
    await publish(50, 200);
    await until('all is handled', () => new Set([...handler.texts(), ...other.texts()]).size === 250);
    expect(other.released.length).toBeGreaterThan(0);
  });
});
