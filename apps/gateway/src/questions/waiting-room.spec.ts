import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WaitingRoom, type WaitingRoomOptions } from './waiting-room.js';

const found = (ids: readonly string[]) => new Map(ids.map((id) => [id, `answer of ${id}`]));
const forever = () => new AbortController().signal;

function aRoom(options: Partial<WaitingRoomOptions<string>> = {}) {
  const settled = new Set<string>();
  const settledAmong = vi.fn((_tenant: string, ids: readonly string[]) => Promise.resolve(found(ids.filter((id) => settled.has(id)))));
  const onError = vi.fn();
  const room = new WaitingRoom({ settledAmong, pollMs: 250, waitersMax: 100, questionsPerLookMax: 10, onError, ...options });
  return { room, settled, settledAmong, onError };
}

describe('the waiting room', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('wakes a waiter a few milliseconds after the batch that settled its question; fails when the hint is dropped', async () => {
    const { room, settled } = aRoom();
    const end = room.wait('t1', 'q1', 10_000, forever());
    settled.add('q1');
    room.touched('t1', ['q1']);
    await vi.advanceTimersByTimeAsync(10);
    expect(await end).toEqual({ how: 'settled', found: 'answer of q1' });
    expect(room.size).toBe(0);
  });

  it('looks again when the batch commits after the first look; fails when a hint gives one look only', async () => {
    const { room, settled } = aRoom();
    const end = room.wait('t1', 'q1', 10_000, forever());
    room.touched('t1', ['q1']);
    await vi.advanceTimersByTimeAsync(6);
    settled.add('q1');
    await vi.advanceTimersByTimeAsync(20);
    expect(await end).toEqual({ how: 'settled', found: 'answer of q1' });
  });

  it('finds what another process has handled, without any hint; fails when there is no poll', async () => {
    const { room, settled } = aRoom();
    const end = room.wait('t1', 'q1', 10_000, forever());
    settled.add('q1');
    await vi.advanceTimersByTimeAsync(600);
    expect(await end).toEqual({ how: 'settled', found: 'answer of q1' });
  });

  it('asks once for a thousand waiters of ten questions; fails when every waiter has a query of its own', async () => {
    const { room, settled, settledAmong } = aRoom({ waitersMax: 1_000 });
    const ends = Array.from({ length: 1_000 }, (_, index) => room.wait('t1', `q${index % 10}`, 10_000, forever()));
    for (let index = 0; index < 10; index += 1) settled.add(`q${index}`);
    await vi.advanceTimersByTimeAsync(250);
    expect((await Promise.all(ends)).map((end) => end.found)).toEqual(
      Array.from({ length: 1_000 }, (_, index) => `answer of q${index % 10}`),
    );
    expect(settledAmong).toHaveBeenCalledTimes(1);
  });

  it('keeps one tenant’s answer from waking another’s waiter of the same question id; fails when the key lacks the tenant', async () => {
    const settledAmong = vi.fn((tenant: string, ids: readonly string[]) => Promise.resolve(found(tenant === 't1' ? ids : [])));
    const { room } = aRoom({ settledAmong });
    const ends = [room.wait('t1', 'q1', 1_000, forever()), room.wait('t2', 'q1', 1_000, forever())];
    await vi.advanceTimersByTimeAsync(1_100);
    expect((await Promise.all(ends)).map((end) => end.how)).toEqual(['settled', 'deadline']);
  });

  it('ends at the deadline and when the caller goes, and keeps nothing; fails when waiters leak', async () => {
    const { room, settledAmong } = aRoom();
    const gone = new AbortController();
    const ends = [room.wait('t1', 'q1', 100, forever()), room.wait('t1', 'q2', 10_000, gone.signal)];
    gone.abort();
    await vi.advanceTimersByTimeAsync(150);
    expect((await Promise.all(ends)).map((end) => end.how)).toEqual(['deadline', 'aborted']);
    expect(room.size).toBe(0);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(settledAmong).not.toHaveBeenCalled();
  });

  it('refuses a waiter above its bound at once; fails when waiting is unbounded', async () => {
    const { room } = aRoom({ waitersMax: 1 });
    void room.wait('t1', 'q1', 1_000, forever());
    expect((await room.wait('t1', 'q2', 1_000, forever())).how).toBe('full');
  });

  it('goes on looking after a failed look; fails when an unreachable database ends the poll', async () => {
    const settledAmong = vi
      .fn()
      .mockRejectedValueOnce(new Error('no database'))
      .mockResolvedValue(found(['q1']));
    const { room, onError } = aRoom({ settledAmong });
    const end = room.wait('t1', 'q1', 10_000, forever());
    await vi.advanceTimersByTimeAsync(600);
    expect(await end).toEqual({ how: 'settled', found: 'answer of q1' });
    expect(onError).toHaveBeenCalledTimes(1);
  });
});
