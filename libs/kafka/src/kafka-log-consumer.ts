/**
 * One consumer group's member, on kafkajs. The position is the handler's: Kafka's committed offset is never read from, and is written
 * for lag and scaling only.
 *
 * K1 Every join takes every assigned partition over, whether it has messages or not; until that is done the partition is paused, so that
 *    nothing is fetched from the committed offset.
 * K2 A batch is handled only if it was fetched from the offset where the one before it ended; otherwise the partition is taken over anew.
 *    That catches kafkajs' silent jump after "offset out of range".
 * K3 One thing at a time per partition: a takeover waits for a batch in hand, also for one of an earlier join.
 * K4 A failed batch gives the partition up and takes it over anew, after a growing delay; kafkajs never sees the failure, so it never
 *    repeats a batch by itself.
 * K5 A partition that nothing is handled of is ticked; a batch that comes meanwhile waits for it.
 * K6 Failures in a row are bounded; then, when fenced twice in a row, told to stop, or crashed, the consumer ends and says so, once.
 */
import {
  ConsumerStoppedError,
  FencedError,
  PositionOutsideLogError,
  retryDelayMs,
  TICK_MS,
  waitMs,
  type ConsumeOptions,
  type LogConsumer,
  type TopicPartition,
} from '@lacuna/messaging';
import type { Batch, Consumer, ConsumerCrashEvent, ConsumerGroupJoinEvent, EachBatchPayload } from 'kafkajs';
import type { DeliveryLogger } from '@lacuna/messaging';
import { logMessage } from './log-message.js';
import { nameOf, OwnedPartition } from './owned-partition.js';

const FAILURES_IN_ROW_MAX = 8;
const FENCED_IN_ROW_MAX = 2;
/** A new leader may for a moment answer an end that lags behind what it has acknowledged (KIP-207). */
const OUTSIDE_LOG_TRIES_MAX = 3;
const FAILURE_DELAY = { delayMs: 200, delayMsMax: 5_000 };
const PARTITIONS_AT_ONCE_MAX = 6;

export interface Bounds {
  readonly logStart: bigint;
  readonly logEnd: bigint;
}

export interface KafkaLogConsumerParts {
  readonly consumer: Consumer;
  readonly bounds: (at: TopicPartition) => Promise<Bounds>;
  readonly logger: DeliveryLogger;
  readonly heartbeatMs: number;
}

export class KafkaLogConsumer implements LogConsumer {
  readonly #owned = new Map<string, OwnedPartition>();
  #joined = false;
  #ticks: NodeJS.Timeout | null = null;
  #stopping: Promise<void> | null = null;

  constructor(
    private readonly parts: KafkaLogConsumerParts,
    private readonly options: ConsumeOptions,
  ) {}

  async start(): Promise<void> {
    const { consumer } = this.parts;
    consumer.on(consumer.events.GROUP_JOIN, (event) => this.#joinedGroup(event));
    consumer.on(consumer.events.CRASH, (event) => this.#crashed(event));
    await consumer.connect();
    await consumer.subscribe({ topics: [...this.options.topics], fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: PARTITIONS_AT_ONCE_MAX,
      eachBatch: (payload) => this.#eachBatch(payload),
    });
    this.#ticks = setInterval(() => this.#tickAll(), this.options.tickMs ?? TICK_MS);
    this.#ticks.unref();
  }

  isRunning(): boolean {
    return this.#joined && this.#stopping === null;
  }

  isStopping(): boolean {
    return this.#stopping !== null;
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#end();
    return this.#stopping;
  }

  async #end(): Promise<void> {
    if (this.#ticks) clearInterval(this.#ticks);
    await this.parts.consumer.disconnect();
    this.#joined = false;
    const inHand = [...this.#owned.values()].map((owned) => owned.busy);
    this.#releaseAll();
    await Promise.all(inHand);
  }

  /** Runs before kafkajs fetches: partitions are paused first of all (K1). */
  #joinedGroup({ payload: { memberAssignment } }: ConsumerGroupJoinEvent): void {
    this.#joined = true;
    const assigned = Object.entries(memberAssignment).flatMap(([topic, partitions]) =>
      partitions.map((partition) => ({ topic, partition })),
    );
    for (const at of assigned) this.#pause(at);
    const names = new Set(assigned.map(nameOf));
    for (const owned of [...this.#owned.values()]) if (!names.has(owned.name)) this.#release(owned);
    for (const at of assigned) {
      const owned = new OwnedPartition(at, this.#owned.get(nameOf(at))?.busy ?? Promise.resolve());
      this.#owned.set(owned.name, owned);
      this.#retake(owned, 0);
    }
  }

  #retake(owned: OwnedPartition, delayMs: number): void {
    owned.next = null;
    owned.busy = owned.busy.then(() => this.#takeOver(owned, delayMs));
  }

  async #takeOver(owned: OwnedPartition, firstDelayMs: number): Promise<void> {
    let delayMs = firstDelayMs;
    while (this.#isOurs(owned)) {
      if (delayMs > 0) await waitMs(delayMs);
      if (!this.#isOurs(owned)) return;
      try {
        const position = await this.options.handler.takeOver(owned.at, await this.parts.bounds(owned.at));
        return this.#takenOver(owned, position);
      } catch (error) {
        delayMs = this.#failed(owned, error);
      }
    }
  }

  #takenOver(owned: OwnedPartition, position: bigint): void {
    if (!this.#owned.has(owned.name)) return this.options.handler.release(owned.at);
    if (!this.#isOurs(owned)) return;
    owned.next = position;
    const { topic, partition } = owned.at;
    this.#inGroup(() => {
      this.parts.consumer.seek({ topic, partition, offset: String(position) });
      this.parts.consumer.resume([{ topic, partitions: [partition] }]);
    });
  }

  async #eachBatch(payload: EachBatchPayload): Promise<void> {
    const owned = this.#owned.get(nameOf(payload.batch));
    if (owned?.ticking) await beatingMeanwhile(owned.ticking, payload, this.parts.heartbeatMs);
    if (!owned || owned.next === null || payload.isStale() || !this.#isOurs(owned)) return;
    if (!isExpected(owned, payload.batch)) return this.#lookInto(owned);
    const work = this.#handle(owned, payload);
    owned.busy = work.catch(() => undefined);
    owned.isHandling = true;
    try {
      await work;
      if (this.#isOurs(owned)) await this.#commit(owned, payload);
    } catch (error) {
      if (this.#isOurs(owned)) this.#giveUp(owned, this.#failed(owned, error));
    } finally {
      owned.isHandling = false;
    }
  }

  #handle(owned: OwnedPartition, payload: EachBatchPayload): Promise<void> {
    return beatingMeanwhile(this.#handleSlices(owned, payload), payload, this.parts.heartbeatMs);
  }

  async #handleSlices(owned: OwnedPartition, { batch, resolveOffset, isRunning, isStale }: EachBatchPayload): Promise<void> {
    const { batchMessagesMax, handler } = this.options;
    for (let from = 0; from < batch.messages.length; from += batchMessagesMax) {
      if (!isRunning() || isStale() || !this.#isOurs(owned)) return;
      const slice = batch.messages.slice(from, from + batchMessagesMax);
      await handler.handle(
        owned.at,
        slice.map((message) => logMessage(owned.at, message)),
      );
      if (!this.#isOurs(owned)) return;
      const last = from + slice.length === batch.messages.length ? batch.lastOffset() : (slice.at(-1)?.offset ?? '');
      resolveOffset(slice.at(-1)?.offset ?? last);
      owned.next = BigInt(last) + 1n;
      owned.failuresInRow = owned.fencedInRow = 0;
    }
  }

  #tickAll(): void {
    for (const owned of this.#owned.values()) {
      if (owned.next === null || owned.isHandling || owned.ticking || !this.#isOurs(owned)) continue;
      owned.busy = owned.ticking = this.#tick(owned).finally(() => (owned.ticking = null));
    }
  }

  async #tick(owned: OwnedPartition): Promise<void> {
    try {
      await this.options.handler.tick?.(owned.at);
      owned.failuresInRow = owned.fencedInRow = 0;
    } catch (error) {
      if (this.#isOurs(owned)) this.#giveUp(owned, this.#failed(owned, error));
    }
  }

  /** A jump that nobody of ours made (K2): the takeover looks whether messages are gone. The same again afterwards is explained. */
  #lookInto(owned: OwnedPartition): void {
    this.parts.logger.warn({ ...owned.at, expected: String(owned.next) }, 'the log went on from another offset than was asked for');
    owned.jumpExplainedAt = owned.next;
    this.#giveUp(owned, 0);
  }

  #giveUp(owned: OwnedPartition, delayMs: number): void {
    this.#pause(owned.at);
    this.#retake(owned, delayMs);
  }

  async #commit(owned: OwnedPartition, { commitOffsetsIfNecessary }: EachBatchPayload): Promise<void> {
    const { topic, partition } = owned.at;
    try {
      await commitOffsetsIfNecessary({ topics: [{ topic, partitions: [{ partition, offset: String(owned.next) }] }] });
    } catch (error) {
      this.parts.logger.warn({ err: error, ...owned.at }, 'an offset was not committed: lag shows too high for a while, nothing else');
    }
  }

  /** Counts, ends the consumer where there is no going on, and answers how long to wait. */
  #failed(owned: OwnedPartition, error: unknown): number {
    owned.failuresInRow += 1;
    owned.fencedInRow = error instanceof FencedError ? owned.fencedInRow + 1 : 0;
    if (isFinal(owned, error)) this.#fatal(error);
    else this.parts.logger.warn({ err: error, ...owned.at, failures: owned.failuresInRow }, 'a partition is given up and taken over anew');
    return retryDelayMs(owned.failuresInRow, FAILURE_DELAY);
  }

  #crashed({ payload: { error, restart } }: ConsumerCrashEvent): void {
    this.#joined = false;
    this.#releaseAll();
    if (!restart) this.#fatal(new Error(`the Kafka consumer crashed: ${error.message}`, { cause: error }));
  }

  #fatal(error: unknown): void {
    if (this.#stopping) return;
    void this.stop().catch(() => undefined);
    this.options.onFatal(error instanceof Error ? error : new Error(String(error)));
  }

  #isOurs(owned: OwnedPartition): boolean {
    return this.#stopping === null && this.#owned.get(owned.name) === owned;
  }

  #release(owned: OwnedPartition): void {
    this.#owned.delete(owned.name);
    this.options.handler.release(owned.at);
  }

  #releaseAll(): void {
    for (const owned of [...this.#owned.values()]) this.#release(owned);
  }

  #pause({ topic, partition }: TopicPartition): void {
    this.#inGroup(() => this.parts.consumer.pause([{ topic, partitions: [partition] }]));
  }

  /** kafkajs has no group for a moment while it restarts; the join that follows takes everything over. */
  #inGroup(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.parts.logger.info({ err: error }, 'the consumer is between two joins');
    }
  }
}

/** The group must not take the partition for lost while we are busy with it. */
async function beatingMeanwhile(work: Promise<void>, { heartbeat }: EachBatchPayload, heartbeatMs: number): Promise<void> {
  const beating = setInterval(() => void heartbeat().catch(() => undefined), heartbeatMs);
  try {
    await work;
  } finally {
    clearInterval(beating);
  }
}

function isExpected(owned: OwnedPartition, batch: Batch): boolean {
  const fetchedFrom = BigInt((batch as Batch & { readonly fetchedOffset: string }).fetchedOffset);
  if (owned.next === null || fetchedFrom === owned.next) return owned.next !== null;
  return fetchedFrom > owned.next && owned.jumpExplainedAt === owned.next;
}

function isFinal(owned: OwnedPartition, error: unknown): boolean {
  if (error instanceof PositionOutsideLogError) return owned.failuresInRow >= OUTSIDE_LOG_TRIES_MAX;
  if (error instanceof ConsumerStoppedError) return true;
  return owned.failuresInRow >= FAILURES_IN_ROW_MAX || owned.fencedInRow >= FENCED_IN_ROW_MAX;
}
