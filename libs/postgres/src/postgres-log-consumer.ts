/**
 * One consumer group's reader in this process: a loop per partition, side by side.
 *
 * C1 A partition is read only while its lock is held, and from the position that takeover answered.
 * C2 After any failure the partition is given up and taken over anew: nothing in memory outlives it.
 * C3 Failures in a row are bounded. Then, or when the handler says stop, the consumer ends as a whole and `onFatal` is told, once.
 */
import {
  ConsumerStoppedError,
  FencedError,
  type ConsumeOptions,
  type LogConsumer,
  TICK_MS,
  type TopicPartition,
  WakeableWait,
} from '@lacuna/messaging';
import { readEvents, readHeads, readLogStart } from './log-tables.js';
import { PartitionLock } from './partition-lock.js';
import type { PostgresDatabase } from './postgres-database.js';

/** Wake-ups do the work: this finds what a lost one left. */
const POLL_MS = 1_000;
const LOCK_RETRY_MS = 500;
const FAILURES_IN_ROW_MAX = 8;
const FENCED_IN_ROW_MAX = 2;
const FAILURE_DELAY_MS = 200;
const FAILURE_DELAY_MS_MAX = 5_000;

type Listen = (at: TopicPartition, wake: () => void) => () => void;

export class PostgresLogConsumer implements LogConsumer {
  readonly #waits = new Map<TopicPartition, WakeableWait>();
  readonly #positions = new Map<TopicPartition, bigint>();
  readonly #lock: PartitionLock;
  #lockEpoch = 0;
  #stopped = false;
  #loops: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: PostgresDatabase,
    private readonly partitions: readonly TopicPartition[],
    private readonly options: ConsumeOptions & { readonly leave: () => Promise<void> },
    private readonly listen: Listen,
  ) {
    this.#lock = new PartitionLock(database.settings.url, options.group, () => this.#lockLost());
    for (const at of partitions) this.#waits.set(at, new WakeableWait());
  }

  start(): void {
    const loops = this.partitions.map((at) => this.#consume(at));
    this.#loops = Promise.all([...loops, this.#watchHeads()])
      .then(() => this.#lock.close())
      .finally(() => this.options.leave());
  }

  isRunning(): boolean {
    return !this.#stopped;
  }

  async stop(): Promise<void> {
    this.#end();
    await this.#loops;
  }

  /** From outside: it cannot go on. */
  end(error: Error): void {
    this.#fatal(error);
  }

  async #consume(at: TopicPartition): Promise<void> {
    const unlisten = this.listen(at, () => this.#wait(at).wake());
    let failures = 0;
    let fenced = 0;
    while (!this.#stopped) {
      try {
        await this.#own(at, () => (failures = fenced = 0));
      } catch (error) {
        failures += 1;
        if (error instanceof FencedError) fenced += 1;
        if (error instanceof ConsumerStoppedError || failures >= FAILURES_IN_ROW_MAX || fenced >= FENCED_IN_ROW_MAX) this.#fatal(error);
        else await this.#wait(at).forMs(failureDelayMs(failures));
      }
    }
    unlisten();
  }

  /** Owns the partition until it is stopped, lost or fails. */
  async #own(at: TopicPartition, succeeded: () => void): Promise<void> {
    const { handler, batchMessagesMax, tickMs = TICK_MS } = this.options;
    const lockEpoch = this.#lockEpoch;
    if (!(await this.#lock.take(at))) return void (await this.#wait(at).forMs(LOCK_RETRY_MS));
    try {
      let position = await handler.takeOver(at, await this.#bounds(at));
      while (!this.#stopped && lockEpoch === this.#lockEpoch) {
        this.#positions.set(at, position);
        const messages = await readEvents(this.database, at, position, batchMessagesMax);
        const last = messages.at(-1);
        if (last) {
          await handler.handle(at, messages);
          position = last.offset + 1n;
          succeeded();
        } else if (!(await this.#wait(at).forMs(tickMs))) {
          await handler.tick?.(at);
          succeeded();
        }
      }
    } finally {
      this.#positions.delete(at);
      this.options.handler.release(at);
      await this.#lock.release(at).catch(() => undefined);
    }
  }

  async #bounds(at: TopicPartition): Promise<{ logStart: bigint; logEnd: bigint }> {
    const logEnd = (await readHeads(this.database, [at.topic])).get(at.topic)?.get(at.partition) ?? 0n;
    return { logStart: await readLogStart(this.database, at, logEnd), logEnd };
  }

  /** Wakes partitions that another process has appended to. An error here is no loss: the next look comes. */
  async #watchHeads(): Promise<void> {
    const topics = [...new Set(this.partitions.map((at) => at.topic))];
    const poll = new WakeableWait();
    this.#watchWait = poll;
    while (!this.#stopped) {
      const heads = await readHeads(this.database, topics).catch(() => null);
      for (const [at, position] of this.#positions) {
        const head = heads?.get(at.topic)?.get(at.partition);
        if (head !== undefined && head > position) this.#wait(at).wake();
      }
      await poll.forMs(POLL_MS);
    }
  }

  #watchWait: WakeableWait | null = null;

  #wait(at: TopicPartition): WakeableWait {
    const wait = this.#waits.get(at);
    if (!wait) throw new Error(`partition ${at.topic}/${at.partition} is not of this consumer`);
    return wait;
  }

  #lockLost(): void {
    this.#lockEpoch += 1;
    for (const wait of this.#waits.values()) wait.wake();
  }

  #fatal(error: unknown): void {
    if (this.#stopped) return;
    this.#end();
    this.options.onFatal(error instanceof Error ? error : new Error(String(error)));
  }

  #end(): void {
    this.#stopped = true;
    this.#watchWait?.wake();
    for (const wait of this.#waits.values()) wait.wake();
  }
}

function failureDelayMs(failures: number): number {
  return Math.min(FAILURE_DELAY_MS * 2 ** (failures - 1), FAILURE_DELAY_MS_MAX) * (0.5 + Math.random() / 2);
}
