/**
 * `lacuna replay`: gives a service a topic again, under a new epoch. Only what fills a read model can be replayed; whatever acts would act
 * twice. The running service notices within seconds, and answers "not known yet" for what it has not read again.
 */
import { beginReplay, openDatabase, PostgresPositionStore, type PostgresDatabase, ReplayRefusedError } from '@lacuna/postgres';
import type { TopicName } from '@lacuna/events';
import { loadConfig } from '@lacuna/runtime';
import { CliError, exitCodes } from '../cli-error.js';
import { openEventLog, type OpenedLog } from '../dead-letters/open-event-log.js';
import type { Surroundings } from '../surroundings.js';
import { readers } from '../topics/readers.js';
import { replayFrom, replayStarts } from './replay-start.js';

export interface ReplayOptions {
  readonly from: string;
  readonly wait: number;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

interface Target {
  readonly group: string;
  readonly schema: string;
  readonly tables: readonly string[];
}

const LOOK_MS = 200;
const PROGRESS_MS = 2_000;

export async function replay(topic: string, options: ReplayOptions, surroundings: Surroundings): Promise<number> {
  const target = targetOf(topic);
  const from = replayFrom(options.from);
  const { env, print } = surroundings;
  const opened = await openEventLog(env);
  try {
    if ((await opened.existing([topic])).length === 0) throw new CliError(`the event log has no topic ${topic}`);
    const starts = await replayStarts(opened.log, topic, from);
    const tables = from === 'start' ? target.tables : [];
    const plan = { topic, service: target.group, from: options.from, empties: tables };
    if (options.dryRun) return say(print, options, { ...plan, epoch: null, messages: null, done: false });
    return await withDatabase(target, env, async (database) => {
      const epoch = await begin(database, { group: target.group, topic, from: starts, tables });
      const progress = new Progress(opened, database, target.group, topic, starts);
      const { messages, done } = await progress.until(options.wait, surroundings);
      return say(print, options, { ...plan, epoch, messages, done });
    });
  } finally {
    await opened.close();
  }
}

function targetOf(topic: string): Target {
  for (const { name, replays } of readers) {
    const tables = replays?.tables[topic as TopicName];
    if (replays && tables) return { group: name, schema: replays.schema, tables };
  }
  const known = readers.flatMap(({ name, replays }) => Object.keys(replays?.tables ?? {}).map((each) => `${each} (${name})`));
  const why = readers.some(({ consumes }) => (consumes as readonly string[]).includes(topic))
    ? 'its readers act on what they read, and would act twice'
    : 'no service reads it';
  throw new CliError(`${topic} cannot be replayed: ${why}. What fills a read model alone can: ${known.join(', ')}`, exitCodes.usage);
}

async function withDatabase<T>({ schema }: Target, env: Surroundings['env'], work: (database: PostgresDatabase) => Promise<T>): Promise<T> {
  const { databaseUrl } = loadConfig('gateway', env);
  const database = await openDatabase({ url: databaseUrl, schema, applicationName: 'lacuna-cli', poolMax: 2 });
  return work(database).finally(() => database.close());
}

async function begin(database: PostgresDatabase, replayed: Parameters<typeof beginReplay>[1]): Promise<number> {
  try {
    return await database.transaction((tx) => beginReplay(tx, replayed));
  } catch (error) {
    if (error instanceof ReplayRefusedError) throw new CliError(error.message, exitCodes.failure, { cause: error });
    throw error;
  }
}

/** How far the service is with what there was when the replay began. */
class Progress {
  readonly #positions = new PostgresPositionStore();

  constructor(
    private readonly opened: OpenedLog,
    private readonly database: PostgresDatabase,
    private readonly group: string,
    private readonly topic: string,
    private readonly starts: ReadonlyMap<number, bigint>,
  ) {}

  async until(waitSeconds: number, { say: tell }: Surroundings): Promise<{ messages: number; done: boolean }> {
    const ends = await this.opened.log.ends(this.topic);
    const all = [...ends].reduce((sum, [partition, end]) => sum + Number(end - (this.starts.get(partition) ?? end)), 0);
    const endsAtMs = Date.now() + waitSeconds * 1_000;
    for (let toldAtMs = Date.now(); ;) {
      const left = await this.#left(ends);
      if (left === 0) return { messages: all, done: true };
      if (Date.now() >= endsAtMs) return { messages: all - left, done: false };
      if (Date.now() - toldAtMs >= PROGRESS_MS) {
        toldAtMs = Date.now();
        tell(`${all - left} of ${all} places read again`);
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  #left(ends: ReadonlyMap<number, bigint>): Promise<number> {
    return this.database.transaction(async (tx) => {
      let left = 0;
      for (const [partition, end] of ends) {
        const position = await this.#positions.read(tx, this.group, { topic: this.topic, partition });
        if (position !== null && position < end) left += Number(end - position);
      }
      return left;
    });
  }
}

interface Outcome {
  readonly topic: string;
  readonly service: string;
  readonly from: string;
  readonly empties: readonly string[];
  readonly epoch: number | null;
  readonly messages: number | null;
  readonly done: boolean;
}

/** Answers the exit code. */
function say(print: Surroundings['print'], { json, dryRun }: ReplayOptions, outcome: Outcome): number {
  print(json ? `${JSON.stringify(outcome)}\n` : `${textOf(outcome, dryRun ?? false)}\n`);
  return outcome.done || dryRun ? exitCodes.done : exitCodes.stillReading;
}

function textOf({ topic, service, from, empties, epoch, messages, done }: Outcome, isDry: boolean): string {
  const emptied = empties.length > 0 ? `empties ${empties.join(', ')}` : 'empties nothing';
  if (isDry) return `${service} would read ${topic} again from ${from}: ${emptied}. Nothing was done`;
  if (done) return `${service} has read ${topic} again from ${from}, epoch ${epoch}: ${messages} places`;
  return `${service} reads ${topic} again from ${from}, epoch ${epoch}; ${messages} places so far. It goes on by itself while it runs`;
}
