/** A whole event log in memory: one partition per topic, one consumer, batches as published. */
import type { EncodedEvent } from '@lacuna/events';
import type { ConsumeOptions, EventLog, LogConsumer, LogMessage, TopicPartition } from '@lacuna/messaging';

const TRIES_MAX = 5;

export class MemoryLog implements EventLog {
  readonly technology = 'postgres';
  readonly appendIn = null;
  readonly messages: LogMessage[] = [];
  #options: ConsumeOptions | null = null;
  #owned = new Set<string>();
  isStopped = false;

  async start(): Promise<void> {}

  async publish(events: readonly EncodedEvent[]): Promise<void> {
    for (const { topic, key, value, headers } of events) {
      const offset = BigInt(this.messages.filter((message) => message.topic === topic).length);
      const bytes = Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, Buffer.from(text)]));
      this.messages.push({ topic, partition: 0, offset, key, value, headers: bytes, timestampMs: 0 });
    }
  }

  async consume(options: ConsumeOptions): Promise<LogConsumer> {
    this.#options = options;
    return { isRunning: () => !this.isStopped, stop: async () => void (this.isStopped = true) };
  }

  /** Hands all of a topic over, again after a failure, as the adapters do. */
  async deliver(topic: string): Promise<void> {
    const options = this.#options;
    if (!options?.topics.includes(topic)) throw new Error(`nobody consumes ${topic}`);
    const at = { topic, partition: 0 };
    for (let attempt = 1; ; attempt += 1) {
      try {
        if (!this.#owned.has(topic)) await options.handler.takeOver(at, { logStart: 0n, logEnd: 1_000n });
        this.#owned.add(topic);
        return await options.handler.handle(at, await this.read(at, 0n, options.batchMessagesMax));
      } catch (error) {
        this.#owned.delete(topic);
        if (attempt >= TRIES_MAX) throw error;
      }
    }
  }

  async ensureTopics(): Promise<void> {}

  async ends(topic: string): Promise<ReadonlyMap<number, bigint>> {
    return new Map([[0, BigInt(this.messages.filter((message) => message.topic === topic).length)]]);
  }

  async offsetsSince(topic: string): Promise<ReadonlyMap<number, bigint>> {
    return this.ends(topic);
  }

  async read({ topic }: TopicPartition, from: bigint, max: number): Promise<LogMessage[]> {
    return this.messages.filter((message) => message.topic === topic && message.offset >= from).slice(0, max);
  }

  async ping(): Promise<void> {}

  async stop(): Promise<void> {
    this.isStopped = true;
  }
}
