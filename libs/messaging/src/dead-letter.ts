/** A message that cannot be handled: its exact bytes go to a topic of their own, and its question is told. */
import { encodeEvent, type EncodedEvent, events, InvalidEventError, type Service, topics } from '@lacuna/events';
import type { LogMessage } from './event-log.js';

export type DeadLetterReason = 'no-type' | 'unknown-type' | 'not-json' | 'invalid' | 'handler-failed' | 'parked-too-long' | 'parking-full';

export interface DeadLetterCause {
  readonly reason: DeadLetterReason;
  readonly detail: string;
}

export interface DeadLetterBy {
  readonly group: string;
  readonly producer: Service;
  readonly at: Date;
}

/** Headers of a dead letter that was put back: for which group, and which message it was at first. */
const REQUEUED_GROUP = 'requeued.group';
const REQUEUED_MESSAGE = 'requeued.message';
/** Instead of the original: it will not come again for this group, and for no group it is a message. */
const REQUEUED_DROPPED = 'requeued.dropped';
const DETAIL_CHARACTERS_MAX = 1_000;
/** Topics whose key is `tenant:question`, but for deliveries: a dead letter of that topic tells nobody again, it would feed itself. */
export const questionTopics: ReadonlySet<string> = new Set<string>([
  topics.questions,
  topics.searches,
  topics.verdicts,
  topics.writes,
  topics.reviews,
]);

export function deadLetterTopic(topic: string, group: string): string {
  return `${topic}.${group}.dlq`;
}

/**
 * The original with `errors.*` headers. A header value that is no UTF-8 text is kept as `errors.base64.<name>`; a null key or value,
 * which an encoded event cannot hold, is marked by `errors.null`.
 */
export function deadLetter(message: LogMessage, cause: DeadLetterCause, by: DeadLetterBy): EncodedEvent {
  const headers: Record<string, string> = {};
  for (const [name, bytes] of Object.entries(message.headers)) {
    const text = bytes.toString('utf8');
    headers[name] = text;
    if (!Buffer.from(text).equals(bytes)) headers[`errors.base64.${name}`] = bytes.toString('base64');
  }
  const nulls = [message.key === null ? 'key' : '', message.value === null ? 'value' : ''].filter(Boolean).join(',');
  return {
    topic: deadLetterTopic(message.topic, by.group),
    key: message.key ?? Buffer.alloc(0),
    value: message.value ?? Buffer.alloc(0),
    headers: {
      ...headers,
      ...(nulls ? { 'errors.null': nulls } : {}),
      'errors.message': messageName(message, by.group),
      'errors.reason': cause.reason,
      'errors.detail': cause.detail.slice(0, DETAIL_CHARACTERS_MAX),
      'errors.group': by.group,
      'errors.topic': message.topic,
      'errors.partition': String(message.partition),
      'errors.offset': String(message.offset),
      'errors.at': by.at.toISOString(),
    },
  };
}

/** `delivery.stalled` for the question in the message's key, `tenant:question`; null where the key names none. */
export function stalledEvent(message: LogMessage, cause: DeadLetterCause, by: DeadLetterBy): EncodedEvent | null {
  const question = questionOf(message);
  if (!question) return null;
  const data = { ...question, group: by.group, message: messageName(message, by.group), reason: cause.reason, at: by.at.toISOString() };
  return encodedOrNull(() => encodeEvent(events.deliveryStalled, data, by.producer));
}

/** `delivery.cleared` for a message that was put back for this group, and is handled now; null for any other message. */
export function clearedEvent(message: LogMessage, by: DeadLetterBy): EncodedEvent | null {
  const question = isRequeuedFor(message, by.group) ? questionOf(message) : null;
  if (!question) return null;
  const data = { ...question, group: by.group, message: messageName(message, by.group), at: by.at.toISOString() };
  return encodedOrNull(() => encodeEvent(events.deliveryCleared, data, by.producer));
}

/** The original of a dead letter, to be published to its topic again. Every group reads it again; only the one that failed clears it. */
export function originalOf(letter: LogMessage): EncodedEvent {
  const text = (name: string) => letter.headers[name]?.toString('utf8');
  const [topic, group, message] = [text('errors.topic'), text('errors.group'), text('errors.message')];
  if (!topic || !group || !message)
    throw new Error(`message ${letter.topic}/${letter.partition}/${letter.offset} is no dead letter: it has no errors.* headers`);
  const kept = Object.entries(letter.headers).filter(([name]) => !name.startsWith('errors.'));
  const headers = Object.fromEntries(kept.map(([name, bytes]) => [name, bytes.toString('utf8')]));
  return {
    topic,
    key: letter.key ?? Buffer.alloc(0),
    value: letter.value ?? Buffer.alloc(0),
    headers: { ...headers, [REQUEUED_GROUP]: group, [REQUEUED_MESSAGE]: message },
  };
}

export type LetterAction = 'requeued' | 'dropped';

/** What an operator did with a letter, said in its own topic: a log takes nothing back, so the letter stays and the mark is read beside it. */
export interface LetterMark {
  readonly partition: number;
  readonly offset: bigint;
  readonly action: LetterAction;
  readonly at: string;
  readonly reason: string;
}

/** Under the letter's own key, so that it lies in the same partition, behind it. */
export function letterMark(letter: LogMessage, action: LetterAction, reason: string, at: Date): EncodedEvent {
  return {
    topic: letter.topic,
    key: letter.key ?? Buffer.alloc(0),
    value: Buffer.alloc(0),
    headers: {
      'letter.action': action,
      'letter.partition': String(letter.partition),
      'letter.offset': String(letter.offset),
      'letter.at': at.toISOString(),
      'letter.reason': reason.slice(0, DETAIL_CHARACTERS_MAX),
    },
  };
}

/** Null for a letter, and for whatever else lies there. */
export function markOf(message: LogMessage): LetterMark | null {
  const text = (name: string) => message.headers[`letter.${name}`]?.toString('utf8') ?? '';
  const action = text('action');
  if ((action !== 'requeued' && action !== 'dropped') || !/^\d+$/.test(text('offset')) || !/^\d+$/.test(text('partition'))) return null;
  return { partition: Number(text('partition')), offset: BigInt(text('offset')), action, at: text('at'), reason: text('reason') };
}

/** `topic/partition/offset` of where the message failed first: one that fails again after a requeue stays the same stalled delivery. */
export function messageName(message: LogMessage, group: string): string {
  return requeuedName(message, group) ?? `${message.topic}/${message.partition}/${message.offset}`;
}

/** The first place of a message that was put back for this group; null for any other. */
export function requeuedName(message: LogMessage, group: string): string | null {
  if (!isRequeuedFor(message, group)) return null;
  return message.headers[REQUEUED_MESSAGE]?.toString('utf8') ?? null;
}

/** True for what only says that a letter was given up: no group handles it. */
export const isDrop = (message: LogMessage): boolean => message.headers[REQUEUED_DROPPED] !== undefined;

/** The name of the letter that was given up for this group; null when it was none of its. */
export const dropOf = (message: LogMessage, group: string): string | null => (isDrop(message) ? requeuedName(message, group) : null);

/** Says in the original's topic, under its key, that it will not come again: what waits behind it goes on, and its question stays blocked. */
export function dropEvent(letter: LogMessage): EncodedEvent {
  const { topic, key, headers } = originalOf(letter);
  const kept = [REQUEUED_GROUP, REQUEUED_MESSAGE].map((name) => [name, headers[name] ?? '']);
  return { topic, key, value: Buffer.alloc(0), headers: { ...Object.fromEntries(kept), [REQUEUED_DROPPED]: 'true' } };
}

function isRequeuedFor(message: LogMessage, group: string): boolean {
  return message.headers[REQUEUED_GROUP]?.toString('utf8') === group;
}

function questionOf(message: LogMessage): { tenantId: string; questionId: string } | null {
  const [, tenantId, questionId] = /^([^:]+):(.+)$/s.exec(message.key?.toString('utf8') ?? '') ?? [];
  return tenantId && questionId ? { tenantId, questionId } : null;
}

/** A key that names no question of ours cannot be told of: the dead letter is all there is. */
function encodedOrNull(encode: () => EncodedEvent): EncodedEvent | null {
  try {
    return encode();
  } catch (error) {
    if (error instanceof InvalidEventError) return null;
    throw error;
  }
}
