import { describe, expect, it, vi } from 'vitest';
import { WakeableWait } from './wakeable-wait.js';

const isPending = async (promise: Promise<void>) =>
  (await Promise.race([promise.then(() => 'over'), Promise.resolve('pending')])) === 'pending';

describe('a wakeable wait', () => {
  it('keeps a wake-up that comes while nobody waits, once', async () => {
    const wait = new WakeableWait();
    wait.wake();
    wait.wake();
    await wait.untilWoken();
    expect(await isPending(wait.untilWoken())).toBe(true);
  });

  it('keeps a wake-up that comes after an earlier wait ran out: a stop between two waits is not slept through', async () => {
    vi.useFakeTimers();
    const wait = new WakeableWait();
    const first = wait.forMs(10);
    await vi.advanceTimersByTimeAsync(10);
    await first;
    wait.wake();
    await Promise.resolve();
    await wait.untilWoken();
    vi.useRealTimers();
  });

  it('ends a running wait before its time and leaves no timer behind', async () => {
    vi.useFakeTimers();
    const wait = new WakeableWait();
    const running = wait.forMs(1_000_000);
    wait.wake();
    await running;
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });
});
