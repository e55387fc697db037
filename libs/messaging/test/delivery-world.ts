/** A log in memory, tables in memory, and two processes of one service that an adapter hands partitions to; every moment can be stopped at. */
import { encodeEvent, type EncodedEvent, events, type MissRecorded, topics } from '@lacuna/events';
import {
  type CrashHook,
  type CrashPoint,
  type EventLog,
  type LogMessage,
  originalOf,
  type PartitionHandler,
  SimulatedCrash,
  type TopicHandler,
  type TopicPartition,
} from '@lacuna/messaging';
import { MemoryParking } from './memory-parking.js';
import { MemoryTables } from './memory-tables.js';

export const PARTITIONS = 2;
export const GROUP = 'verdict';
/** Each puts back what the one before it brought to light. */
const ROUNDS_MAX = 50;
const TOPIC = topics.searches;

export const placeOf = (partition: number): TopicPartition => ({ topic: TOPIC, partition });

/** How a process handles its partitions: the batch loop, or one with a known mistake. */
export type MakeLoop = (world: DeliveryWorld, crash: CrashHook) => PartitionHandler;

export class DeliveryWorld {
  readonly tables = new MemoryTables();
  readonly parking = new MemoryParking();
  readonly sent: LogMessage[][] = Array.from({ length: PARTITIONS }, () => []);
  /** Events by name, `question/number`, in the order in which they were sent. */
  readonly names = new Map<string, string[]>();
  readonly poison = new Set<string>();
  /** Places of dead letters that were put back. */
  readonly #putBack = new Set<string>();
  readonly published: EncodedEvent[] = [];
  publishFailures: ('lost' | 'unacknowledged')[] = [];
  readonly processes: DeliveryProcess[];

  constructor(private readonly makeLoop: MakeLoop) {
    this.processes = [this.#process(), this.#process()];
  }

  readonly log: Pick<EventLog, 'publish' | 'appendIn'> = {
    appendIn: null,
    publish: async (messages) => {
      const failure = this.publishFailures.shift();
      if (failure !== 'lost') this.published.push(...messages);
      if (failure) throw new Error(`the log is away: ${failure}`);
    },
  };

  /** One effect and one outgoing event per message; poison fails its handler. */
  readonly handler: TopicHandler = async ({ tx, events: received }) =>
    received.map((event) => {
      const { questionId, misses } = event.data as MissRecorded;
      const name = `${questionId}/${misses}`;
      this.tables.addEffect(tx, name);
      if (this.poison.has(name)) throw new TypeError('this one cannot be handled');
      return { topic: 'out', key: Buffer.from(questionId), value: Buffer.from(name), headers: {} };
    });

  send(partition: number, question: number, isPoison: boolean): void {
    const questionId = `q${partition}${question}`;
    const names = this.names.get(questionId) ?? [];
    const misses = names.length + 1;
    const name = `${questionId}/${misses}`;
    this.names.set(questionId, [...names, name]);
    if (isPoison) this.poison.add(name);
    const data = { tenantId: 'acme', questionId, scope: 'tool', misses, stopped: false, at: '2026-01-31T12:00:00.000Z' };
    this.#append(partition, encodeEvent(events.missRecorded, data, 'search-runner'));
  }

  /** Dead letters that nobody has put back, oldest first; a repeated publication is the same letter. */
  openLetters(): EncodedEvent[] {
    const places = new Map(this.published.filter(({ topic }) => topic.endsWith('.dlq')).map((letter) => [placeNameOf(letter), letter]));
    return [...places].filter(([place]) => !this.#putBack.has(place)).map(([, letter]) => letter);
  }

  /** As an operator does; what made it fail is mended, or not. */
  putBack(letter: EncodedEvent, isMended: boolean): void {
    const { questionId, misses } = JSON.parse(letter.value.toString()) as MissRecorded;
    if (isMended) this.poison.delete(`${questionId}/${misses}`);
    this.#putBack.add(placeNameOf(letter));
    const partition = Number(letter.headers['errors.partition']);
    this.#append(partition, originalOf({ ...letter, headers: bytesOf(letter), partition, offset: 0n, timestampMs: 0 }));
  }

  #append(partition: number, event: EncodedEvent): void {
    const messages = this.sent[partition] ?? [];
    const { key, value } = event;
    messages.push({ ...placeOf(partition), offset: BigInt(messages.length), key, value, headers: bytesOf(event), timestampMs: 0 });
  }

  /** kill -9: what it had in memory and in open transactions is gone; another process takes its place. */
  async kill(index: number): Promise<void> {
    await this.processes[index]?.kill();
    this.processes[index] = this.#process();
  }

  /** Everything goes well from now on, what was dead is put back, and all is handled by a process that remembers nothing. */
  async settle(): Promise<void> {
    this.publishFailures = [];
    this.tables.failures = [];
    for (const process of this.processes) await process.resumeAll();
    const last = this.#process();
    for (let rounds = 0; rounds < ROUNDS_MAX; rounds += 1) {
      for (let partition = 0; partition < PARTITIONS; partition += 1) await last.drain(partition);
      const letters = this.openLetters();
      if (letters.length === 0) return;
      for (const letter of letters) this.putBack(letter, true);
    }
  }

  #process(): DeliveryProcess {
    return new DeliveryProcess(this, this.makeLoop);
  }
}

const placeNameOf = ({ headers }: EncodedEvent) => `${headers['errors.partition']}/${headers['errors.offset']}`;
const bytesOf = ({ headers }: EncodedEvent) => Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, Buffer.from(text)]));

interface Paused {
  readonly goOn: () => void;
  readonly die: () => void;
}

/** The adapter's side of one process: one call at a time per partition, taken over anew after any error. */
export class DeliveryProcess {
  readonly #loop: PartitionHandler;
  readonly #readFrom = new Map<number, bigint>();
  readonly #armed = new Map<number, CrashPoint>();
  readonly #paused = new Map<number, Paused>();
  readonly #busy = new Map<number, Promise<void>>();
  #tellPaused: () => void = () => undefined;

  constructor(
    private readonly world: DeliveryWorld,
    makeLoop: MakeLoop,
  ) {
    this.#loop = makeLoop(world, (point, context) => this.#reached(point, Number(context.split('/').at(-1))));
  }

  isBusy(partition: number): boolean {
    return this.#busy.has(partition);
  }

  /** Hands over up to `count` messages; comes back when they are handled, refused, or the call stands at `pauseAt`. */
  async deliver(partition: number, count: number, pauseAt: CrashPoint | null): Promise<void> {
    if (this.isBusy(partition)) return;
    if (pauseAt) this.#armed.set(partition, pauseAt);
    const paused = new Promise<void>((resolve) => (this.#tellPaused = resolve));
    const done = this.#call(partition, count).finally(() => {
      this.#armed.delete(partition);
      this.#busy.delete(partition);
    });
    this.#busy.set(partition, done);
    await Promise.race([paused, done]);
  }

  /** The adapter fetches again from before where it was, as one does that retries a batch. */
  rewind(partition: number, by: number): void {
    const from = this.#readFrom.get(partition);
    if (from !== undefined && !this.isBusy(partition)) this.#readFrom.set(partition, from > BigInt(by) ? from - BigInt(by) : 0n);
  }

  /** Nothing has come for a while. */
  async tick(partition: number): Promise<void> {
    if (this.isBusy(partition) || !this.#readFrom.has(partition)) return;
    try {
      await this.#loop.tick?.(placeOf(partition));
    } catch {
      this.#readFrom.delete(partition);
      this.#loop.release(placeOf(partition));
    }
  }

  async resume(partition: number): Promise<void> {
    this.#paused.get(partition)?.goOn();
    await this.#busy.get(partition);
  }

  async resumeAll(): Promise<void> {
    for (const partition of [...this.#busy.keys()]) await this.resume(partition);
  }

  async kill(): Promise<void> {
    for (const paused of this.#paused.values()) paused.die();
    await Promise.all(this.#busy.values());
  }

  async drain(partition: number): Promise<void> {
    const end = this.world.sent[partition]?.length ?? 0;
    for (let calls = 0; calls < 2 * end + 10; calls += 1) await this.deliver(partition, 3, null);
  }

  async #call(partition: number, count: number): Promise<void> {
    const at = placeOf(partition);
    const messages = this.world.sent[partition] ?? [];
    try {
      const from = this.#readFrom.get(partition) ?? (await this.#loop.takeOver(at, { logStart: 0n, logEnd: BigInt(messages.length) }));
      this.#readFrom.set(partition, from);
      const given = messages.slice(Number(from), Number(from) + count);
      if (given.length > 0) await this.#loop.handle(at, given);
      this.#readFrom.set(partition, from + BigInt(given.length));
    } catch {
      this.#readFrom.delete(partition);
      this.#loop.release(at);
    }
  }

  async #reached(point: string, partition: number): Promise<void> {
    if (this.#armed.get(partition) !== point) return;
    this.#armed.delete(partition);
    await new Promise<void>((resolve, reject) => {
      this.#paused.set(partition, { goOn: resolve, die: () => reject(new SimulatedCrash(`killed at ${point}`)) });
      this.#tellPaused();
    }).finally(() => this.#paused.delete(partition));
  }
}
