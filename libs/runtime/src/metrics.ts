/** The metrics of a service: every name, once. */
import type { DeliveryObserver, PartitionHandler, TopicPartition } from '@lacuna/messaging';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export const metricNames = {
  eventsHandled: 'lacuna_events_handled_total',
  batchSeconds: 'lacuna_batch_seconds',
  retries: 'lacuna_batch_retries_total',
  deadLetters: 'lacuna_dead_letters_total',
  position: 'lacuna_consumer_position',
  lag: 'lacuna_consumer_lag_messages',
  outboxSources: 'lacuna_outbox_pending_sources',
  consumerRunning: 'lacuna_consumer_running',
} as const;

/** What is measured at the moment of a scrape. */
export interface ScrapeSources {
  /** Sources with events that are committed and not yet published. */
  outboxSources(): Promise<number>;
  /** End offset per partition of a topic. */
  ends(topic: string): Promise<ReadonlyMap<number, bigint>>;
  isConsumerRunning(): boolean;
}

export class ServiceMetrics {
  readonly registry = new Registry();
  readonly #handled: Counter<'topic'>;
  readonly #batchSeconds: Histogram<'topic'>;
  readonly #retries: Counter<'topic'>;
  readonly #deadLetters: Counter<'topic' | 'reason'>;
  readonly #positionGauge: Gauge<'topic' | 'partition'>;
  readonly #positions = new Map<string, Map<number, bigint>>();

  constructor(service: string) {
    this.registry.setDefaultLabels({ service });
    const registers = [this.registry];
    const counter = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
      new Counter({ name, help, labelNames, registers });
    this.#handled = counter(metricNames.eventsHandled, 'Messages handled', 'topic');
    this.#retries = counter(metricNames.retries, 'Batches tried again after a failure', 'topic');
    this.#deadLetters = counter(metricNames.deadLetters, 'Messages moved to the dead-letter topic', 'topic', 'reason');
    this.#batchSeconds = new Histogram({
      name: metricNames.batchSeconds,
      help: 'Time from a batch to its acknowledged events',
      labelNames: ['topic'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    });
    this.#positionGauge = new Gauge({
      name: metricNames.position,
      help: 'Next offset to handle',
      labelNames: ['topic', 'partition'],
      registers,
    });
  }

  /** Numbers of the process itself; once per process. */
  collectProcess(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  readonly observer: DeliveryObserver = {
    batchHandled: ({ topic }, messages, elapsedMs) => {
      this.#handled.inc({ topic }, messages);
      this.#batchSeconds.observe({ topic }, elapsedMs / 1_000);
    },
    retried: ({ topic }) => this.#retries.inc({ topic }),
    deadLettered: ({ topic }, reason) => this.#deadLetters.inc({ topic, reason }),
  };

  /** The same handler, its positions noted. */
  watch(handler: PartitionHandler): PartitionHandler {
    return {
      takeOver: async (at, bounds) => {
        const position = await handler.takeOver(at, bounds);
        this.#note(at, position);
        return position;
      },
      handle: async (at, messages) => {
        await handler.handle(at, messages);
        const last = messages.at(-1);
        if (last) this.#note(at, last.offset + 1n);
      },
      tick: async (at) => handler.tick?.(at),
      release: (at) => {
        handler.release(at);
        this.#positions.get(at.topic)?.delete(at.partition);
        this.#positionGauge.remove({ topic: at.topic, partition: at.partition });
      },
    };
  }

  /** What cannot be asked at a scrape is left out of it. */
  scrapeFrom(sources: ScrapeSources): void {
    const registers = [this.registry];
    const gauge = (name: string, help: string, value: () => Promise<number> | number) =>
      new Gauge({
        name,
        help,
        registers,
        collect: async function () {
          this.set(await Promise.resolve(value()).catch(() => NaN));
        },
      });
    gauge(metricNames.outboxSources, 'Sources with committed events that are not published yet', () => sources.outboxSources());
    gauge(metricNames.consumerRunning, '1: joined and reading', () => (sources.isConsumerRunning() ? 1 : 0));
    const lag: Gauge<'topic' | 'partition'> = new Gauge({
      name: metricNames.lag,
      help: 'Messages behind the end of the partition',
      labelNames: ['topic', 'partition'],
      registers,
      collect: (): Promise<void> => this.#collectLag(lag, sources),
    });
  }

  async #collectLag(lag: Gauge<'topic' | 'partition'>, sources: ScrapeSources): Promise<void> {
    lag.reset();
    for (const [topic, positions] of this.#positions) {
      const ends = await sources.ends(topic).catch(() => null);
      for (const [partition, position] of positions) {
        const end = ends?.get(partition);
        if (end !== undefined) lag.set({ topic, partition }, Number(end - position));
      }
    }
  }

  #note(at: TopicPartition, position: bigint): void {
    const partitions = this.#positions.get(at.topic) ?? new Map<number, bigint>();
    this.#positions.set(at.topic, partitions.set(at.partition, position));
    this.#positionGauge.set({ topic: at.topic, partition: at.partition }, Number(position));
  }
}
