/**
 * `lacuna dlq show|requeue|drop`: one letter, or all that are open.
 *
 * Requeue publishes the original's exact bytes to its topic again; the service that failed clears the question when it has handled it. Drop
 * says there that it will not come again: what waits behind it goes on, and its question stays blocked, to be asked anew.
 */
import { dropEvent, letterMark, type LetterAction, originalOf } from '@lacuna/messaging';
import { CliError, exitCodes } from '../cli-error.js';
import { coloursFor } from '../colours.js';
import type { Surroundings } from '../surroundings.js';
import { deadLetterView } from './dead-letter-view.js';
import { letterLines } from './list-dead-letters.js';
import { type OpenedLog, openEventLog } from './open-event-log.js';
import { namesOf } from './read-dead-letters.js';
import { type Letter, readLetters } from './read-letters.js';

/** Letters settled by one command. */
export const SETTLED_MAX = 1_000;

export interface LettersAsked {
  /** Name of a dead-letter topic. */
  readonly topic: string;
  /** `partition/offset`, as `dlq list` prints them. */
  readonly places: readonly string[];
  readonly all?: boolean;
  readonly json?: boolean;
}

export async function showLetters(asked: LettersAsked, { env, print, hasColour }: Surroundings): Promise<void> {
  await withLetters(asked, env, (letters) => {
    const views = letters.map((letter) => deadLetterView(letter, true));
    const text = [coloursFor(hasColour).bold(asked.topic), ...views.flatMap(letterLines)].join('\n');
    print(asked.json ? `${JSON.stringify({ topic: asked.topic, letters: views })}\n` : `${text}\n`);
    return Promise.resolve();
  });
}

export async function settleLetters(
  asked: LettersAsked & { readonly action: LetterAction; readonly reason: string },
  { env, print }: Surroundings,
): Promise<void> {
  const { topic, action, reason } = asked;
  await withLetters(asked, env, async (letters, { log }) => {
    for (const { message, mark } of letters)
      if (mark) throw new CliError(`${message.partition}/${message.offset} has been ${mark.action} at ${mark.at}: nothing was done`);
    const settled: string[] = [];
    for (const { message } of letters) {
      await log.publish([action === 'requeued' ? originalOf(message) : dropEvent(message)]);
      await log.publish([letterMark(message, action, reason, new Date())]);
      settled.push(`${message.partition}/${message.offset}`);
    }
    print(asked.json ? `${JSON.stringify({ topic, action, letters: settled })}\n` : `${action} ${settled.length} of ${topic}\n`);
  });
}

async function withLetters(
  asked: LettersAsked,
  env: Surroundings['env'],
  work: (letters: readonly Letter[], opened: OpenedLog) => Promise<void>,
): Promise<void> {
  const [topic] = namesOf(asked.topic).filter((name) => name === asked.topic);
  if (topic === undefined)
    throw new CliError(`${asked.topic} is no dead-letter topic: name one as "lacuna dlq list" does`, exitCodes.usage);
  const opened = await openEventLog(env);
  try {
    await work(await chosen(opened, asked), opened);
  } finally {
    await opened.close();
  }
}

async function chosen(opened: OpenedLog, { topic, places, all = false }: LettersAsked): Promise<readonly Letter[]> {
  if (all === places.length > 0) throw new CliError('name letters as partition/offset, or --all', exitCodes.usage);
  if ((await opened.existing([topic])).length === 0) throw new CliError(`${topic} is not there: make it with "lacuna topics apply"`);
  const ends = await opened.log.ends(topic);
  const letters: Letter[] = [];
  for (const [partition, end] of ends) letters.push(...(await readLetters(opened.log, { topic, partition }, end)).letters);
  if (all) return letters.filter(({ mark }) => mark === null).slice(0, SETTLED_MAX);
  return places.map((place) => {
    const found = letters.find(({ message }) => `${message.partition}/${message.offset}` === place);
    if (!found) throw new CliError(`${topic} has no letter ${place} (partition/offset): see "lacuna dlq list --topic ${topic}"`);
    return found;
  });
}
