import { encodeEvent, events } from '@lacuna/events';
import { describe, expect, it } from 'vitest';
import type { LogMessage } from './event-log.js';
import { receivedBatch } from './received-batch.js';

function miss(offset: bigint, tenantId: string, misses: number): LogMessage {
  const data = { tenantId, questionId: 'q-1', scope: 'tool', misses, stopped: false, at: '2026-01-31T12:00:00.000Z' };
  const { topic, key, value, headers } = encodeEvent(events.missRecorded, data, 'search-runner');
  const bytes = Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, Buffer.from(text)]));
  return { topic, partition: 0, offset, key, value, headers: bytes, timestampMs: 0 };
}

describe('a received batch', () => {
  it('is by tenant, each in log order, tenants sorted: two partitions lock their rows in one order', () => {
    const { tenants } = receivedBatch([miss(1n, 'zoo', 1), miss(2n, 'acme', 1), miss(3n, 'zoo', 2)]);
    expect(tenants.map(({ tenantId, events: own }) => [tenantId, own.map((event) => event.offset)])).toEqual([
      ['acme', [2n]],
      ['zoo', [1n, 3n]],
    ]);
  });

  it('sets aside what cannot be decoded, with why, and keeps the rest', () => {
    const broken = { ...miss(2n, 'acme', 2), value: Buffer.from('{') };
    const foreign = { ...miss(3n, 'acme', 3), headers: { ce_type: Buffer.from('somebody.elses') } };
    const { tenants, refused } = receivedBatch([miss(1n, 'acme', 1), broken, foreign]);
    expect(tenants[0]?.events).toHaveLength(1);
    expect(refused.map(({ message, cause }) => [message.offset, cause.reason])).toEqual([
      [2n, 'not-json'],
      [3n, 'unknown-type'],
    ]);
  });
});
