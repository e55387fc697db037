import { decodeEvent, topics } from '@lacuna/events';
import { describe, expect, it } from 'vitest';
import { clearedEvent, deadLetter, originalOf, stalledEvent } from './dead-letter.js';
import type { LogMessage } from './event-log.js';

const by = { group: 'verdict', producer: 'verdict', at: new Date('2026-01-31T12:00:00.000Z') } as const;
const cause = { reason: 'not-json', detail: 'x'.repeat(5_000) } as const;
const message = (changes: Partial<LogMessage> = {}): LogMessage => ({
  topic: topics.searches,
  partition: 2,
  offset: 9007199254740993n,
  key: Buffer.from('acme:question-1'),
  value: Buffer.from([0x00, 0xff]),
  headers: { ce_type: Buffer.from('lacuna.page.read'), custom: Buffer.from('ü') },
  timestampMs: 0,
  ...changes,
});
const read = (letter: ReturnType<typeof deadLetter>): LogMessage => ({
  ...message(),
  ...letter,
  headers: Object.fromEntries(Object.entries(letter.headers).map(([name, text]) => [name, Buffer.from(text)])),
});

describe('a dead letter', () => {
  it('has the bytes, key and headers of its original, and says why, where and when', () => {
    const letter = deadLetter(message(), cause, by);
    expect(letter.topic).toBe('lacuna.searches.v1.verdict.dlq');
    expect(letter.value).toEqual(message().value);
    expect(letter.key).toEqual(message().key);
    expect(letter.headers).toMatchObject({
      ce_type: 'lacuna.page.read',
      custom: 'ü',
      'errors.reason': 'not-json',
      'errors.topic': topics.searches,
      'errors.partition': '2',
      'errors.offset': '9007199254740993',
      'errors.at': '2026-01-31T12:00:00.000Z',
    });
    expect(letter.headers['errors.detail']).toHaveLength(1_000);
  });

  it('keeps a header that is no UTF-8 text as base64 besides: nothing is lost', () => {
    const letter = deadLetter(message({ headers: { raw: Buffer.from([0xff, 0x00]) } }), cause, by);
    expect(letter.headers['errors.base64.raw']).toBe('/wA=');
  });

  it('marks what was null', () => {
    expect(deadLetter(message({ key: null, value: null }), cause, by).headers['errors.null']).toBe('key,value');
  });

  it('gives its original back for a requeue, without what was added', () => {
    const letter = deadLetter(message(), cause, by);
    expect(originalOf(read(letter))).toEqual({
      topic: topics.searches,
      key: message().key,
      value: message().value,
      headers: {
        ce_type: 'lacuna.page.read',
        custom: 'ü',
        'requeued.group': 'verdict',
        'requeued.message': `${topics.searches}/2/9007199254740993`,
      },
    });
    expect(() => originalOf(message())).toThrow('is no dead letter');
  });
});

describe('a message that was put back', () => {
  const dataOf = (event: ReturnType<typeof clearedEvent>) => {
    const outcome = decodeEvent(event ?? { value: null, headers: {} });
    return outcome.ok ? outcome.event.data : null;
  };
  const putBack = { ...read(originalOf(read(deadLetter(message(), cause, by)))), offset: 12n };
  const first = `${topics.searches}/2/9007199254740993`;

  it('clears the delivery that stalled at first, for the group that failed only', () => {
    expect(dataOf(clearedEvent(putBack, by))).toMatchObject({ questionId: 'question-1', group: 'verdict', message: first });
    expect(clearedEvent(putBack, { ...by, group: 'notifier' })).toBeNull();
    expect(clearedEvent(message(), by)).toBeNull();
  });

  it('stays the same stalled delivery when it fails again: one requeue later clears it', () => {
    expect(dataOf(stalledEvent(putBack, cause, by))).toMatchObject({ message: first });
    expect(read(deadLetter(putBack, cause, by)).headers['errors.message']?.toString()).toBe(first);
  });
});

describe('a stalled question', () => {
  it('is told by the tenant and question of the key', () => {
    const stalled = stalledEvent(message(), cause, by);
    const outcome = decodeEvent(stalled ?? { value: null, headers: {} });
    expect(outcome.ok && outcome.event.data).toMatchObject({
      tenantId: 'acme',
      questionId: 'question-1',
      group: 'verdict',
      message: `${topics.searches}/2/9007199254740993`,
      reason: 'not-json',
    });
  });

  it.each([
    [null],
    [Buffer.from('')],
    [Buffer.from('acme')],
    [Buffer.from('ACME:question')],
    [Buffer.from('acme:')],
    [Buffer.from('acme:\u0000')],
  ])('is not made up from a key that names none (%s)', (key) => {
    expect(stalledEvent(message({ key }), cause, by)).toBeNull();
  });
});
