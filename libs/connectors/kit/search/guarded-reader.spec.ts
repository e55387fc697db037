import type { ReadRequest, SourceReader } from '../source-reader.js';
import { describe, expect, it } from 'vitest';
import { guardedReader } from './guarded-reader.js';

const never = () => new Promise<never>(() => undefined);
const request = (signal = new AbortController().signal): ReadRequest => ({ cursor: null, pass: 1, bytesMax: 1, signal });

function guarded(reader: Partial<SourceReader> | Error) {
  const faults: unknown[] = [];
  const newReader = () => {
    if (reader instanceof Error) throw reader;
    return reader as SourceReader;
  };
  return { faults, reader: guardedReader(newReader, (error, doing) => faults.push([doing, (error as Error).message]), 1) };
}

const thrower = (message: string) => () => {
  throw new Error(message);
};

describe('a guarded reader', () => {
  it.each([
    ['that cannot be made', new Error('boom')],
    ['whose open throws', { open: thrower('boom') }],
    ['whose open rejects', { open: () => Promise.reject(new Error('boom')) }],
  ])('%s gives a reason at open, and tells the fault', async (_, inner) => {
    const { reader, faults } = guarded(inner);
    expect(await reader.open(new AbortController().signal)).toMatchObject({ type: 'failure', reason: 'source-unavailable' });
    expect(faults).toEqual([['open', 'boom']]);
  });

  it('gives a reason for a read that throws; its text holds nothing of the error', async () => {
    const { reader } = guarded({ read: thrower('password=hunter2') });
    expect(JSON.stringify(await reader.read(request()))).not.toContain('hunter2');
  });

  it('closes in silence where closing throws or hangs; fails when a whole read is lost by its close', async () => {
    const throwing = guarded({ open: never, close: thrower('late') });
    void throwing.reader.open(new AbortController().signal);
    await throwing.reader.close();
    expect(throwing.faults).toEqual([['close', 'late']]);
    const hanging = guarded({ open: never, close: never });
    void hanging.reader.open(new AbortController().signal);
    await hanging.reader.close();
  });

  it('leaves a reader that ignores its signal; fails when one hanging source keeps a search beyond its deadline', async () => {
    const { reader } = guarded({ read: never });
    expect(await reader.read(request(AbortSignal.abort()))).toMatchObject({ reason: 'budget-time' });
    const later = new AbortController();
    const reading = reader.read(request(later.signal));
    later.abort();
    expect(await reading).toMatchObject({ reason: 'budget-time' });
  });

  it('has no record by id where the reader has none', async () => {
    expect(await guarded({}).reader.readById?.('r1', new AbortController().signal)).toMatchObject({ type: 'failure' });
  });
});
