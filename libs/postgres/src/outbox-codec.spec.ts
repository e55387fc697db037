import type { EncodedEvent } from '@lacuna/events';
import { describe, expect, it } from 'vitest';
import { packEvents, unpackEvents } from './outbox-codec.js';

describe('an outbox row', () => {
  it('gives back the events exactly: what is published again is the same bytes', () => {
    const events: EncodedEvent[] = [
      { topic: 'a', key: Buffer.from([0, 255]), value: Buffer.from('{"n":9007199254740993}'), headers: { ce_id: 'ü', z: '', a: '\u0000' } },
      { topic: 'b', key: Buffer.alloc(0), value: Buffer.alloc(0), headers: {} },
      { topic: 'c', key: Buffer.from('k'), value: Buffer.alloc(70_000, 7), headers: { x: '1' } },
    ];
    expect(unpackEvents(packEvents(events))).toEqual(events);
    expect(Object.keys(unpackEvents(packEvents(events))[0]?.headers ?? {})).toEqual(['ce_id', 'z', 'a']);
    expect(unpackEvents(packEvents([]))).toEqual([]);
  });
});
