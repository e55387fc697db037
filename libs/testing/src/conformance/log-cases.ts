/** The log by itself: order, bytes, groups, bounds. */
import type { EventLog, LogMessage, PartitionHandler } from '@lacuna/messaging';
import { expect, it } from 'vitest';
import { type DeliveryOutcome } from './delivery-problems.js';
import { until, type Workbench } from './workbench.js';

const DIGITS_BEYOND_2_53 = '{"big":9007199254740993,"negative":-9223372036854775808}';

export function logCases(bench: () => Workbench): void {
  it('keeps the order of each key over many keys, partitions and publishers', async () => {
    const keys = bench().keys(30);
    const publishers = Array.from({ length: 5 }, (_, index) => keys.filter((_key, at) => at % 5 === index));
    await Promise.all(
      publishers.map(async (own) => {
        const log = await bench().anotherLog();
        for (let round = 0; round < 10; round += 1) await log.publish(bench().nextEvents(own, 2));
      }),
    );
    const messages = await bench().messages(bench().topic);
    expect(messages).toHaveLength(600);
    expect(new Set(messages.map((message) => message.partition)).size).toBeGreaterThan(1);
    for (const key of keys) {
      const own = messages.filter((message) => message.key?.toString() === key);
      expect(own.map(missesOf)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
      expect(new Set(own.map((message) => message.partition)).size).toBe(1);
    }
  });

  it('keeps raw bytes, empty values, header text and digits beyond 2^53 as they are', async () => {
    const values = [Buffer.from([0x00, 0xff, 0xfe, 0x00, 0x80]), Buffer.alloc(0), Buffer.from(DIGITS_BEYOND_2_53)];
    const headers = { ce_type: 'x', zeta: '1', alpha: 'ünïcode \u{1f50d} "quoted" \\', empty: '' };
    const key = Buffer.from([0x00, 0xff, 0x3a]);
    await bench().log.publish(values.map((value) => ({ topic: bench().topic, key, value, headers })));
    const messages = await bench().messages(bench().topic);
    expect(messages.map((message) => message.value?.toString('hex'))).toEqual(values.map((value) => value.toString('hex')));
    for (const message of messages) {
      expect(message.key?.equals(key)).toBe(true);
      expect(Object.entries(message.headers).map(([name, bytes]) => [name, bytes.toString()])).toEqual(Object.entries(headers));
    }
  });

  it('gives offsets as bigints that grow, and an end that is exclusive', async () => {
    await bench().send(bench().keys(6), 5);
    for (const [partition, end] of await bench().log.ends(bench().topic)) {
      const own = await bench().log.read({ topic: bench().topic, partition }, 0n, 100);
      expect(own.every((message, index) => index === 0 || message.offset > (own[index - 1]?.offset ?? 0n))).toBe(true);
      if (own.length > 0) expect(own.at(-1)?.offset).toBe(end - 1n);
    }
  });

  // Fails if a replay from a time begins behind a message of that time, or at the beginning where nothing came since.
  it('finds the first offsets since a time, and the ends where nothing came since', async () => {
    const log = bench().log;
    await bench().send(bench().keys(6), 3);
    const messages = await bench().messages(bench().topic);
    await new Promise((resolve) => setTimeout(resolve, 20));
    await bench().send(bench().keys(6), 3);
    const later = await bench().messages(bench().topic);
    const sinceMs = Math.max(...messages.map((message) => message.timestampMs)) + 1;
    const ends = await log.ends(bench().topic);
    for (const [partition, since] of await log.offsetsSince(bench().topic, new Date(sinceMs))) {
      const own = later.filter((message) => message.partition === partition);
      expect(since).toBe(own.find((message) => message.timestampMs >= sinceMs)?.offset ?? ends.get(partition));
    }
    expect(await log.offsetsSince(bench().topic, new Date(0))).toEqual(new Map([...ends].map(([partition]) => [partition, 0n])));
    expect(await log.offsetsSince(bench().topic, new Date(Date.now() + 3_600_000))).toEqual(ends);
  });

  it('cuts a publish of 5 MB into what the log takes, in order', async () => {
    const [key = ''] = bench().keys(1);
    const large = bench()
      .nextEvents([key], 100)
      .map((event) => ({ ...event, headers: { ...event.headers, padding: 'p' }, value: padded(event.value, 50_000) }));
    await bench().log.publish(large);
    const messages = await bench().messages(bench().topic);
    expect(messages.map((message) => message.value?.length)).toEqual(large.map((event) => event.value.length));
    expect(messages.map(missesOf)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
  });

  it('delivers again, in order, what a handler failed on: at least once', async () => {
    await bench().send(bench().keys(1), 12);
    const log = await bench().anotherLog();
    const handler = new ForgetfulHandler();
    const consumer = await log.consume({
      group: bench().group,
      topics: [bench().topic],
      handler,
      batchMessagesMax: 5,
      onFatal: handler.fatal,
    });
    await until('all twelve were handled', async () => handler.handled.length >= 12);
    await consumer.stop();
    expect(handler.failures).toBe(1);
    expect(handler.handled.map(missesOf)).toEqual(Array.from({ length: 12 }, (_, index) => index + 1));
  });

  it('gives each of two groups every message', async () => {
    const keys = bench().keys(6);
    await bench().send(keys, 5);
    const groups = [bench().group, `${bench().group}-other`];
    await Promise.all(groups.map((group) => bench().start({ group })));
    for (const group of groups) {
      await bench().handled(group);
      expect(await bench().problems(group)).toEqual([]);
    }
  });

  it('starts a new group at the beginning: what was there before it is not skipped', async () => {
    await bench().send(bench().keys(6), 5);
    await bench().start();
    await bench().handled();
    await bench().send(bench().keys(3), 2);
    await bench().handled();
    const outcome: DeliveryOutcome = await bench().outcome();
    expect(outcome.effects).toHaveLength(36);
  });

  it('refuses a topic that nobody made', async () => {
    const missing: Parameters<EventLog['publish']>[0] = [
      { topic: `${bench().topic}-missing`, key: Buffer.from('k'), value: Buffer.from('v'), headers: {} },
    ];
    await expect(bench().log.publish(missing)).rejects.toThrow();
  });
}

/** Fails once in the middle, and goes on from where it was: what an adapter must make possible by itself. */
class ForgetfulHandler implements PartitionHandler {
  readonly handled: LogMessage[] = [];
  readonly #next = new Map<number, bigint>();
  failures = 0;

  async takeOver(at: { readonly partition: number }, bounds: { readonly logStart: bigint }): Promise<bigint> {
    return this.#next.get(at.partition) ?? bounds.logStart;
  }

  async handle(at: { readonly partition: number }, messages: readonly LogMessage[]): Promise<void> {
    const fresh = messages.filter((message) => message.offset >= (this.#next.get(at.partition) ?? 0n));
    if (this.handled.length >= 5 && this.failures === 0) {
      this.failures += 1;
      throw new Error('not this time');
    }
    this.handled.push(...fresh);
    const last = fresh.at(-1);
    if (last) this.#next.set(at.partition, last.offset + 1n);
  }

  release(): void {}

  readonly fatal = (error: Error): void => {
    throw error;
  };
}

function missesOf(message: LogMessage): number {
  return Number(/"misses":(\d+)/.exec(message.value?.toString() ?? '')?.[1]);
}

function padded(value: Buffer, bytes: number): Buffer {
  return Buffer.concat([value, Buffer.alloc(bytes, ' ')]);
}
