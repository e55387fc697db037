/** Counts of the dead-letter topics, and the newest letters of each. */
import { deadLetterTopic } from '@lacuna/messaging';
import { CliError } from '../cli-error.js';
import { readers } from '../topics/readers.js';
import { deadLetterView, newestFirst, type DeadLetterView } from './dead-letter-view.js';
import type { OpenedLog } from './open-event-log.js';
import { readLetters } from './read-letters.js';

export interface DeadLetterTopic {
  readonly topic: string;
  /** Letters that nobody has put back or dropped. */
  readonly count: number;
  /** Older messages that were not looked at: there are more than one look takes. */
  readonly unread: number;
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

export function namesOf(asked: string | undefined): string[] {
  const all = readers.flatMap(({ name, consumes }) => consumes.map((topic) => ({ topic, name: deadLetterTopic(topic, name) })));
  const wanted = all.filter(({ topic, name }) => asked === undefined || asked === topic || asked === name).map(({ name }) => name);
  if (wanted.length > 0) return wanted;
  throw new CliError(`nothing reads a topic "${asked}": give one of ${[...new Set(all.map(({ topic }) => topic))].sort().join(', ')}`, 2);
}

async function readTopic(log: OpenedLog['log'], topic: string, { newestMax, withPayload }: ReadDeadLetters): Promise<DeadLetterTopic> {
  const filled = [...(await log.ends(topic))].filter(([, end]) => end > 0n);
  const parts = await Promise.all(filled.map(([partition, end]) => readLetters(log, { topic, partition }, end)));
  const open = parts.flatMap(({ letters }) => letters).filter(({ mark }) => mark === null);
  const newest = newestFirst(open.map((letter) => deadLetterView(letter, withPayload))).slice(0, newestMax);
  const unread = parts.reduce((sum, part) => sum + part.unread, 0n);
  return { topic, count: open.length, unread: Number(unread), newest };
}
