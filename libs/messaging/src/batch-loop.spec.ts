import { encodeEvent, type EncodedEvent, events, topics } from '@lacuna/events';
import { describe, expect, it } from 'vitest';
import { BatchLoop, type BatchLoopOptions } from './batch-loop.js';
import type { Transaction } from './database.js';
import { ConsumerStoppedError, FencedError, PositionOutsideLogError } from './delivery-error.js';
import type { LogMessage } from './event-log.js';
import type { TenantBatch } from './topic-handler.js';

const at = { topic: topics.searches, partition: 0 };
const BOUNDS = { logStart: 0n, logEnd: 1_000n };

/** Queue tables in memory: a transaction that fails puts them back as they were. */
class Tables {
  position: bigint | null = null;
  outbox: EncodedEvent[] = [];
  effects: number[] = [];
  transactions = 0;

  readonly database = {
    ping: async () => undefined,
    transaction: async <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => {
      this.transactions += 1;
      const before = { position: this.position, outbox: this.outbox, effects: [...this.effects] };
      try {
        return await work({ query: async () => [], actFor: async () => undefined });
      } catch (error) {
        Object.assign(this, before);
        throw error;
      }
    },
  };
  readonly positions = {
    read: async () => this.position,
    begin: async (_tx: Transaction, _group: string, _at: object, offset: bigint) => void (this.position ??= offset),
    advance: async (_tx: Transaction, _group: string, _at: object, from: bigint, to: bigint) => {
      if (this.position !== from) return false;
      this.position = to;
      return true;
    },
  };
  readonly outboxStore = {
    replace: async (_tx: Transaction, _source: string, replaced: readonly EncodedEvent[]) => void (this.outbox = [...replaced]),
    add: async () => '1',
    pending: async () => (this.outbox.length > 0 ? [{ id: '1', events: this.outbox }] : []),
    remove: async () => undefined,
    staleSources: async () => [],
    lockSource: async () => true,
  };
}

class Log {
  readonly appendIn = null;
  readonly published: EncodedEvent[] = [];
  failures: unknown[] = [];
  async publish(messages: readonly EncodedEvent[]): Promise<void> {
    const failure = this.failures.shift();
    if (failure) throw failure;
    this.published.push(...messages);
  }
}

function miss(offset: number, changes: Partial<LogMessage> = {}): LogMessage {
  const data = { tenantId: 'acme', questionId: 'q', scope: 'tool', misses: offset, stopped: false, at: '2026-01-31T12:00:00.000Z' };
  const { key, value, headers } = encodeEvent(events.missRecorded, data, 'search-runner');
  const bytes = Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, Buffer.from(text)]));
  return { ...at, offset: BigInt(offset), key, value, headers: bytes, timestampMs: 0, ...changes };
}
const misses = (from: number, count: number) => Array.from({ length: count }, (_, index) => miss(from + index));
const numbers = (batch: TenantBatch) => batch.events.map((event) => Number(event.offset));
const withCode = (code: string) => Object.assign(new Error(code), { code });

function set(handle: (batch: TenantBatch) => Promise<void> | void = () => undefined, changes: Partial<BatchLoopOptions> = {}) {
  const tables = new Tables();
  const log = new Log();
  const handler = async (batch: TenantBatch): Promise<EncodedEvent[]> => {
    tables.effects.push(...numbers(batch));
    await handle(batch);
    return numbers(batch).map((n) => ({ topic: 'out', key: Buffer.from('k'), value: Buffer.from(String(n)), headers: {} }));
  };
  const options: BatchLoopOptions = {
    group: 'verdict',
    producer: 'verdict',
    database: tables.database,
    log,
    positions: tables.positions,
    outbox: tables.outboxStore,
    handlers: new Map([[at.topic, handler]]),
    clock: { now: () => new Date(0) },
    logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
    retry: { delayMs: 0, delayMsMax: 0, attemptsMax: 3, deadLettersInRowMax: 2 },
    ...changes,
  };
  return { tables, log, loop: new BatchLoop(options), options };
}
const textOf = (published: readonly EncodedEvent[]) => published.map((event) => event.value.toString());
const letters = (log: Log) => log.published.filter((event) => event.topic.endsWith('.verdict.dlq'));

describe('a batch', () => {
  it('that fails for a moment is done again, whole, and changes state once', async () => {
    const failures = [withCode('40P01'), withCode('ECONNRESET')];
    const { tables, log, loop } = set(() => {
      const failure = failures.shift();
      if (failure) throw failure;
    });
    await loop.takeOver(at, BOUNDS);
    await loop.handle(at, misses(0, 3));
    expect(tables.effects).toEqual([0, 1, 2]);
    expect(textOf(log.published)).toEqual(['0', '1', '2']);
    expect(letters(log)).toEqual([]);
  });

  it('that keeps failing for want of a server is given up after its bound, and nothing is dead-lettered for it', async () => {
    const { tables, log, loop } = set(() => {
      throw withCode('57P01');
    });
    await loop.takeOver(at, BOUNDS);
    await expect(loop.handle(at, misses(0, 2))).rejects.toThrow('57P01');
    expect(tables.position).toBe(0n);
    expect(log.published).toEqual([]);
    expect(tables.transactions).toBeLessThan(20);
  });

  it('stops the consumer at once for a missing table: no message is to blame (failure table)', async () => {
    const { tables, loop } = set(() => {
      throw withCode('42P01');
    });
    await loop.takeOver(at, BOUNDS);
    await expect(loop.handle(at, misses(0, 2))).rejects.toBeInstanceOf(ConsumerStoppedError);
    expect(tables.position).toBe(0n);
  });

  it('loses only the message that cannot be handled to the dead letters; its effect is not kept (B5)', async () => {
    const { tables, log, loop } = set((batch) => {
      if (numbers(batch).includes(1)) throw new TypeError('bad');
    });
    await loop.takeOver(at, BOUNDS);
    await loop.handle(at, misses(0, 4));
    expect(tables.effects).toEqual([0, 2, 3]);
    expect(textOf(log.published.filter((event) => event.topic === 'out'))).toEqual(['0', '2', '3']);
    expect(letters(log).map((letter) => letter.headers['errors.offset'])).toEqual(['1']);
    expect(tables.position).toBe(4n);
  });

  it('gives a message alone some tries before it is dead-lettered: a fault that passes costs no message', async () => {
    let tries = 0;
    const { tables, log, loop } = set(() => {
      tries += 1;
      if (tries < 3) throw new Error('passes');
    });
    await loop.takeOver(at, BOUNDS);
    await loop.handle(at, [miss(0)]);
    expect(tables.effects).toEqual([0]);
    expect(letters(log)).toEqual([]);
  });

  it('stops the consumer when message after message is dead-lettered: a broken handler must not empty the topic', async () => {
    const { tables, log, loop } = set(() => {
      throw new TypeError('broken');
    });
    await loop.takeOver(at, BOUNDS);
    await expect(loop.handle(at, misses(0, 5))).rejects.toThrow(/2 messages in a row went to the dead-letter topic.*TypeError: broken/);
    expect(letters(log)).toHaveLength(2);
    expect(tables.position).toBe(2n);
  });

  it('counts dead letters in a row only: a handled message between them starts anew', async () => {
    const { log, loop } = set((batch) => {
      if (numbers(batch).some((n) => n % 2 === 0)) throw new TypeError('even');
    });
    await loop.takeOver(at, BOUNDS);
    await loop.handle(at, misses(0, 8));
    expect(letters(log)).toHaveLength(4);
  });

  // Fails if a poison message now and then, with good batches between, adds up until it stops the consumer.
  it('that is handled whole ends a row of dead letters', async () => {
    const { log, loop } = set((batch) => {
      if (numbers(batch).some((n) => n % 3 === 0)) throw new TypeError('third');
    });
    await loop.takeOver(at, BOUNDS);
    for (let n = 0; n < 12; n += 3) {
      await loop.handle(at, [miss(n)]);
      await loop.handle(at, misses(n + 1, 2));
    }
    expect(letters(log)).toHaveLength(4);
  });

  it('is read again with the outbox row first after a publish that failed: in order, nothing skipped (B3, B6)', async () => {
    const { tables, log, loop } = set();
    await loop.takeOver(at, BOUNDS);
    log.failures = [new Error('away'), new TypeError('odd')];
    await loop.handle(at, misses(0, 2));
    await loop.handle(at, misses(2, 2));
    expect(textOf(log.published)).toEqual(['0', '1', '2', '3']);
    expect(tables.effects).toEqual([0, 1, 2, 3]);
    expect(letters(log)).toEqual([]);
  });

  it('stays where it is while its events are not acknowledged; the next call publishes them before it handles anything (B2, B6)', async () => {
    const { tables, log, loop } = set();
    await loop.takeOver(at, BOUNDS);
    log.failures = [new Error('away'), new Error('away'), new Error('away')];
    await expect(loop.handle(at, misses(0, 2))).rejects.toThrow('the log did not acknowledge: away');
    expect(tables.position).toBe(2n);
    await loop.handle(at, misses(0, 4));
    expect(textOf(log.published)).toEqual(['0', '1', '2', '3']);
    expect(tables.effects).toEqual([0, 1, 2, 3]);
  });

  it('is fenced when the position was moved, forward by another owner or back by a person (B1)', async () => {
    const { tables, loop } = set();
    await loop.takeOver(at, BOUNDS);
    await loop.handle(at, misses(0, 2));
    tables.position = 7n;
    await expect(loop.handle(at, misses(2, 2))).rejects.toBeInstanceOf(FencedError);
    tables.position = 0n;
    await expect(loop.handle(at, misses(2, 2))).rejects.toBeInstanceOf(FencedError);
    expect(tables.effects).toEqual([0, 1]);
  });

  it('is refused for a partition that was released', async () => {
    const { loop } = set();
    await loop.takeOver(at, BOUNDS);
    loop.release(at);
    await expect(loop.handle(at, misses(0, 1))).rejects.toBeInstanceOf(FencedError);
  });

  it('of what cannot be decoded goes to the dead letters and tells its question, whatever the other messages do', async () => {
    const { tables, log, loop } = set();
    await loop.takeOver(at, BOUNDS);
    await loop.handle(at, [miss(0), miss(1, { value: Buffer.from('{') }), miss(2)]);
    expect(tables.effects).toEqual([0, 2]);
    expect(log.published.map((event) => event.topic)).toEqual(['out', 'out', 'lacuna.searches.v1.verdict.dlq', topics.deliveries]);
  });

  it('goes past gaps in the offsets: logs have markers of their own', async () => {
    const { tables, loop } = set();
    await loop.takeOver(at, BOUNDS);
    await loop.handle(at, [miss(3), miss(9)]);
    expect(tables.position).toBe(10n);
  });
});

describe('a takeover', () => {
  it('begins a new group at the start of the log', async () => {
    const { loop } = set();
    expect(await loop.takeOver(at, { logStart: 40n, logEnd: 90n })).toBe(40n);
  });

  it('publishes what the owner before it committed, before it answers (B2)', async () => {
    const { tables, log, loop } = set();
    tables.position = 5n;
    tables.outbox = [{ topic: 'out', key: Buffer.from('k'), value: Buffer.from('left'), headers: {} }];
    expect(await loop.takeOver(at, BOUNDS)).toBe(5n);
    expect(textOf(log.published)).toEqual(['left']);
  });

  it('that cannot publish it does not own the partition', async () => {
    const { tables, log, loop } = set();
    tables.position = 5n;
    tables.outbox = [{ topic: 'out', key: Buffer.from('k'), value: Buffer.from('left'), headers: {} }];
    log.failures = [new Error('away')];
    await expect(loop.takeOver(at, BOUNDS)).rejects.toThrow('away');
    await expect(loop.handle(at, misses(5, 1))).rejects.toBeInstanceOf(FencedError);
  });

  it.each([
    ['before the log', 3n, /before the log's first message 5\. Messages were removed/],
    ['beyond its end', 11n, /beyond the log's end 10\. The database belongs to another log/],
  ])('of a position %s stops the consumer and says what to do (B7)', async (_where, position, expected) => {
    const { tables, loop } = set();
    tables.position = position;
    const error = await loop.takeOver(at, { logStart: 5n, logEnd: 10n }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(PositionOutsideLogError);
    expect((error as Error).message).toMatch(expected);
  });

  it('of a topic without a handler stops the consumer', async () => {
    await expect(set().loop.takeOver({ topic: 'other', partition: 0 }, BOUNDS)).rejects.toBeInstanceOf(ConsumerStoppedError);
  });
});
