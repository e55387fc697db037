/** A dead letter as it is shown. Pure. */
import type { LetterAction } from '@lacuna/messaging';
import type { Letter } from './read-letters.js';

export interface DeadLetterView {
  readonly topic: string;
  readonly partition: number;
  /** Beyond 2^53 in the worst case: text. */
  readonly offset: string;
  readonly at: string | null;
  readonly reason: string | null;
  readonly detail: string | null;
  readonly original: { readonly topic: string | null; readonly partition: string | null; readonly offset: string | null };
  readonly type: string | null;
  readonly key: string | null;
  readonly bytes: number;
  /** What an operator did with it; null: nothing yet. */
  readonly settled: { readonly action: LetterAction; readonly at: string; readonly reason: string } | null;
  /** Only where it was asked for; base64 where it is no UTF-8 text. */
  readonly payload?: { readonly text: string } | { readonly base64: string } | null;
}

export function deadLetterView({ message, mark }: Letter, withPayload: boolean): DeadLetterView {
  const header = (name: string) => message.headers[name]?.toString('utf8') ?? null;
  return {
    topic: message.topic,
    partition: message.partition,
    offset: String(message.offset),
    at: header('errors.at'),
    reason: header('errors.reason'),
    detail: header('errors.detail'),
    original: { topic: header('errors.topic'), partition: header('errors.partition'), offset: header('errors.offset') },
    type: header('ce_type'),
    key: message.key?.toString('utf8') ?? null,
    bytes: message.value?.byteLength ?? 0,
    settled: mark && { action: mark.action, at: mark.at, reason: mark.reason },
    ...(withPayload ? { payload: payloadOf(message.value) } : {}),
  };
}

function payloadOf(value: Buffer | null): DeadLetterView['payload'] {
  if (value === null) return null;
  const text = value.toString('utf8');
  return Buffer.from(text).equals(value) ? { text } : { base64: value.toString('base64') };
}

/** Newest first, as far as their times say. */
export function newestFirst(letters: readonly DeadLetterView[]): DeadLetterView[] {
  return [...letters].sort((a, b) => (b.at ?? '').localeCompare(a.at ?? ''));
}
