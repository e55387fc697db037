/** `lacuna dlq list`. */
import { coloursFor, type Colours } from '../colours.js';
import { printable, printableLine } from '../printable.js';
import type { Surroundings } from '../surroundings.js';
import type { DeadLetterView } from './dead-letter-view.js';
import { openEventLog } from './open-event-log.js';
import { readDeadLetters, type DeadLetterTopic } from './read-dead-letters.js';

export interface ListDeadLettersOptions {
  readonly topic?: string;
  readonly newest: number;
  readonly payload?: boolean;
  readonly json?: boolean;
}

export async function listDeadLetters(options: ListDeadLettersOptions, { env, print, hasColour }: Surroundings): Promise<void> {
  const { topic, newest: newestMax, payload: withPayload = false } = options;
  const opened = await openEventLog(env);
  try {
    const found = await readDeadLetters(opened, { topic, newestMax, withPayload });
    print(options.json ? `${JSON.stringify({ total: totalOf(found), topics: found })}\n` : deadLettersText(found, coloursFor(hasColour)));
  } finally {
    await opened.close();
  }
}

function totalOf(found: readonly DeadLetterTopic[]): number {
  return found.reduce((sum, { count }) => sum + count, 0);
}

export function deadLettersText(found: readonly DeadLetterTopic[], colours: Colours): string {
  if (found.length === 0) return 'no dead-letter topic is there: make them with "lacuna topics apply"\n';
  const filled = found.filter(({ count }) => count > 0);
  const lines = filled.flatMap(({ topic, count, unread, newest }) => [
    `${colours.bold(topic)}  ${colours.red(String(count))}`,
    ...newest.flatMap(letterLines),
    ...(count > newest.length ? [`  and ${count - newest.length} older`] : []),
    ...(unread > 0 ? [`  ${unread} older messages were not looked at`] : []),
  ]);
  return `${[...lines, `${totalOf(found)} dead letters in ${found.length} topics`].join('\n')}\n`;
}

export function letterLines({
  partition,
  offset,
  at,
  reason,
  detail,
  original,
  type,
  key,
  bytes,
  settled,
  payload,
}: DeadLetterView): string[] {
  const from = `${original.topic ?? '?'}/${original.partition ?? '?'}/${original.offset ?? '?'}`;
  const facts = [
    `${partition}/${offset}`,
    at ?? 'no time',
    reason ?? 'no reason',
    `was ${from}`,
    type ?? 'no type',
    `key ${key ?? 'none'}`,
  ];
  return [
    `  ${printableLine([...facts, `${bytes} bytes`].join('  '))}`,
    ...(detail ? [`    ${printableLine(detail)}`] : []),
    ...(settled ? [`    ${printableLine([settled.action, settled.at, settled.reason].filter(Boolean).join(' '))}`] : []),
    ...(payload ? [`    ${printable('text' in payload ? payload.text : `base64 ${payload.base64}`)}`] : []),
  ];
}
