/** A message that cannot be handled: its exact bytes go to a topic of their own, and its question is told. */
import { encodeEvent, type EncodedEvent, events, type Service, topics } from '@lacuna/events';
import type { LogMessage } from './event-log.js';

export type DeadLetterReason = 'no-type' | 'unknown-type' | 'not-json' | 'invalid' | 'handler-failed';

export interface DeadLetterCause {
  readonly reason: DeadLetterReason;
  readonly detail: string;
}

export interface DeadLetterBy {
  readonly group: string;
  readonly producer: Service;
  readonly at: Date;
}

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
  const [, tenantId, questionId] = /^([a-z0-9][a-z0-9-]{0,62}):(.+)$/s.exec(message.key?.toString('utf8') ?? '') ?? [];
  if (!tenantId || !questionId) return null;
  const data = {
    tenantId,
    questionId,
    group: by.group,
    message: `${message.topic}/${message.partition}/${message.offset}`,
    reason: cause.reason,
    at: by.at.toISOString(),
  };
  try {
    return encodeEvent(events.deliveryStalled, data, by.producer);
  } catch {
    return null;
  }
}

/** The original of a dead letter, to be published to its topic again. */
export function originalOf(letter: LogMessage): EncodedEvent {
  const headers: Record<string, string> = {};
  for (const [name, bytes] of Object.entries(letter.headers)) if (!name.startsWith('errors.')) headers[name] = bytes.toString('utf8');
  const topic = letter.headers['errors.topic']?.toString('utf8');
  if (!topic) throw new Error(`message ${letter.topic}/${letter.partition}/${letter.offset} is no dead letter: it has no errors.topic`);
  return { topic, key: letter.key ?? Buffer.alloc(0), value: letter.value ?? Buffer.alloc(0), headers };
}
