import { topics } from '@lacuna/events';
import { ConsumerStoppedError, type TenantBatch } from '@lacuna/messaging';
import { describe, expect, it } from 'vitest';
import { readModelsOnly } from './read-models-only.js';

const batch = { tenantId: 'acme', topic: topics.verdicts, events: [] } as unknown as TenantBatch;
const event = { topic: 'out', key: Buffer.alloc(0), value: Buffer.alloc(0), headers: {} };
const of = (published: number) =>
  readModelsOnly(new Map([[topics.verdicts, async () => Array.from({ length: published }, () => event)]]), {
    name: 'gateway',
    readModels: [{ topic: topics.verdicts, tables: ['verdict'] }],
  }).get(topics.verdicts);

describe('a handler that is declared to fill a read model', () => {
  // Fails if a handler that acts can be declared replayable and nobody notices until the replay.
  it('stops its service when it publishes; answering nothing is well', async () => {
    await expect(of(1)?.(batch)).rejects.toBeInstanceOf(ConsumerStoppedError);
    expect(await of(0)?.(batch)).toEqual([]);
  });

  it('is free to publish where it is not declared', async () => {
    const free = readModelsOnly(new Map([[topics.verdicts, async () => [event]]]), { name: 'notifier' });
    expect(await free.get(topics.verdicts)?.(batch)).toEqual([event]);
  });
});
