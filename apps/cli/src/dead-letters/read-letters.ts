/** The letters of one partition of a dead-letter topic, each with what an operator did with it. */
import { type LetterMark, type LogMessage, markOf, type TopicPartition } from '@lacuna/messaging';
import type { OpenedLog } from './open-event-log.js';

export interface Letter {
  readonly message: LogMessage;
  /** Null: nobody has put it back or dropped it. */
  readonly mark: LetterMark | null;
}

export interface LettersOfPartition {
  /** Oldest first. */
  readonly letters: readonly Letter[];
  /** Older messages, letters or marks, that were not looked at. */
  readonly unread: bigint;
}

/** The newest messages of a partition that are looked at: a mark stands behind its letter, so no letter among them looks open by mistake. */
export const LOOKED_AT_MAX = 20_000;
const READ_MAX = 500;

export async function readLetters(log: OpenedLog['log'], at: TopicPartition, end: bigint): Promise<LettersOfPartition> {
  const first = (await log.read(at, 0n, 1))[0]?.offset ?? end;
  const from = end - first > BigInt(LOOKED_AT_MAX) ? end - BigInt(LOOKED_AT_MAX) : first;
  const messages: LogMessage[] = [];
  for (let next = from; next < end;) {
    const read = await log.read(at, next, READ_MAX);
    const last = read.at(-1);
    if (!last) break;
    messages.push(...read);
    next = last.offset + 1n;
  }
  const marks = new Map<bigint, LetterMark>();
  for (const message of messages) {
    const mark = markOf(message);
    if (mark && mark.partition === at.partition) marks.set(mark.offset, mark);
  }
  const letters = messages.filter((message) => markOf(message) === null);
  return { letters: letters.map((message) => ({ message, mark: marks.get(message.offset) ?? null })), unread: from - first };
}
