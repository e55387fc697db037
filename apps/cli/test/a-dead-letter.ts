/** Dead letters as a service leaves them. */
import { deadLetter, type LogMessage } from '@lacuna/messaging';
import type { EncodedEvent } from '@lacuna/events';

const NOON_MS = Date.UTC(2026, 0, 1, 12);

export function aDeadLetter(topic: string, group: 'verdict' | 'gateway', index: number, value = `{"n":${index}}`): EncodedEvent {
  const original: LogMessage = {
    topic,
    partition: 1,
    offset: BigInt(100 + index),
    key: Buffer.from(`t1:q-${index}`),
    value: Buffer.from(value, 'latin1'),
    headers: { ce_type: Buffer.from('lacuna.page.read') },
    timestampMs: NOON_MS,
  };
  const cause = { reason: 'invalid' as const, detail: `member ${index} is missing\u001b[31m` };
  return deadLetter(original, cause, { group, producer: group, at: new Date(NOON_MS + index * 1_000) });
}
