/** Counts of the dead-letter topics, and the newest letters of each. */
import { deadLetterTopic } from '@lacuna/messaging';
import { CliError } from '../cli-error.js';
import { readers } from '../topics/readers.js';
import { deadLetterView, newestFirst, type DeadLetterView } from './dead-letter-view.js';
import type { OpenedLog } from './open-event-log.js';

export interface DeadLetterTopic {
  readonly topic: string;
  /** Letters that are there now. */
  readonly count: number;
  readonly newest: readonly DeadLetterView[];
}

export interface ReadDeadLetters {
  /** A topic or a dead-letter topic; all when absent. */
  readonly topic?: string;
  /** Letters shown of a topic, at most. */
  readonly newestMax: number;
  readonly withPayload: boolean;
}

export async function readDeadLetters(opened: OpenedLog, options: ReadDeadLetters): Promise<DeadLetterTopic[]> {
  const found: DeadLetterTopic[] = [];
  for (const topic of await opened.existing(namesOf(options.topic))) found.push(await readTopic(opened.log, topic, options));
  return found;
}

function namesOf(asked: string | undefined): string[] {
  const all = readers.flatMap(({ name, consumes }) => consumes.map((topic) => ({ topic, name: deadLetterTopic(topic, name) })));
  const wanted = all.filter(({ topic, name }) => asked === undefined || asked === topic || asked === name).map(({ name }) => name);
  if (wanted.length > 0) return wanted;
  throw new CliError(`nothing reads a topic "${asked}": give one of ${[...new Set(all.map(({ topic }) => topic))].sort().join(', ')}`, 2);
}

async function readTopic(log: OpenedLog['log'], topic: string, { newestMax, withPayload }: ReadDeadLetters): Promise<DeadLetterTopic> {
  const filled = [...(await log.ends(topic))].filter(([, end]) => end > 0n);
  const parts = await Promise.all(filled.map(([partition, end]) => readPart(log, { topic, partition }, end, newestMax)));
  const letters = parts.flatMap(({ newest }) => newest.map((message) => deadLetterView(message, withPayload)));
  const count = parts.reduce((sum, part) => sum + part.count, 0n);
  return { topic, count: Number(count), newest: newestFirst(letters).slice(0, newestMax) };
}

/** Old letters expire, so the first one that is left says where the partition begins. */
async function readPart(log: OpenedLog['log'], at: { topic: string; partition: number }, end: bigint, newestMax: number) {
  const max = BigInt(newestMax);
  const newest = await log.read(at, end > max ? end - max : 0n, newestMax);
  const first = end > max ? (await log.read(at, 0n, 1))[0] : newest[0];
  return { newest, count: first ? end - first.offset : 0n };
}
