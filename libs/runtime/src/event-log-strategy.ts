/**
 * The bridge between Nest and the event log: collects the handlers that `@OnTopic` marks and consumes their topics in one group.
 *
 * S1 One handler per topic. Nest would run two of one pattern side by side and fail them together; that is refused.
 * S2 A handler has succeeded when the observable that Nest makes of it has completed, never before.
 * S3 The topics that are handled are exactly those that the service declares.
 */
import type { EncodedEvent } from '@lacuna/events';
import type { EventLog, LogConsumer, PartitionHandler, TopicHandler } from '@lacuna/messaging';
import { Server, type CustomTransportStrategy, type MessageHandler } from '@nestjs/microservices';
import { lastValueFrom } from 'rxjs';

export interface EventLogStrategyOptions {
  readonly group: string;
  readonly log: EventLog;
  readonly consumes: readonly string[];
  readonly batchMessagesMax: number;
  readonly makeHandler: (handlers: ReadonlyMap<string, TopicHandler>) => PartitionHandler;
  readonly onFatal: (error: Error) => void;
}

export class EventLogStrategy extends Server implements CustomTransportStrategy {
  override readonly propagatesEventHandlerErrors = true;
  #consumer: LogConsumer | null = null;

  constructor(private readonly options: EventLogStrategyOptions) {
    super();
  }

  listen(done: (error?: unknown) => void): void {
    this.#start().then(() => done(), done);
  }

  /** Stops taking, finishes what is in hand, leaves the group. Again: nothing. */
  async close(): Promise<void> {
    const consumer = this.#consumer;
    this.#consumer = null;
    await consumer?.stop();
  }

  /** True while the consumer is joined and reading; true for a service that consumes nothing. */
  isRunning(): boolean {
    return this.options.consumes.length === 0 || (this.#consumer?.isRunning() ?? false);
  }

  on(): never {
    throw new Error('this transport has no events of its own');
  }

  unwrap<T>(): T {
    return this.options.log as T;
  }

  async #start(): Promise<void> {
    const handlers = this.#topicHandlers();
    if (handlers.size === 0) return;
    const { log, group, consumes, batchMessagesMax, onFatal, makeHandler } = this.options;
    this.#consumer = await log.consume({ group, topics: consumes, handler: makeHandler(handlers), batchMessagesMax, onFatal });
  }

  #topicHandlers(): ReadonlyMap<string, TopicHandler> {
    const { group, consumes } = this.options;
    const undeclared = [...this.messageHandlers.keys()].filter((topic) => !consumes.includes(topic));
    const unhandled = consumes.filter((topic) => !this.messageHandlers.has(topic));
    if (undeclared.length > 0) throw new Error(`${group} handles ${undeclared.join(', ')} but does not declare to consume it`);
    if (unhandled.length > 0) throw new Error(`${group} declares to consume ${unhandled.join(', ')} but nothing is marked @OnTopic for it`);
    return new Map([...this.messageHandlers].map(([topic, handler]) => [topic, this.#topicHandler(topic, handler)]));
  }

  #topicHandler(topic: string, handler: MessageHandler): TopicHandler {
    if (handler.next)
      throw new Error(`${this.options.group} has two handlers for ${topic}: order and failures are per topic, so one handles it`);
    return async (batch) => {
      const events = await lastValueFrom(this.transformToObservable(handler(batch) as Promise<unknown>));
      if (!Array.isArray(events)) throw new Error(`the handler of ${topic} in ${this.options.group} answered no list of events`);
      return events as EncodedEvent[];
    };
  }
}
