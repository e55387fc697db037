/** Time within a walk: nothing is waited for, waiting moves it. */
import type { Clock } from '../inputs.js';
import type { RateLimiter } from '../rate-limiter.js';

const START_AT = '2026-06-01T12:00:00.000Z';

export class WalkClock implements Clock, RateLimiter {
  private readonly startedMs: number;
  private passedMs = 0;
  private readonly taken = new Map<string, { fromMs: number; requests: number }>();

  constructor(startAt: string = START_AT) {
    this.startedMs = Date.parse(startAt);
  }

  now(): Date {
    return new Date(this.startedMs + this.passedMs);
  }

  monotonicMs(): number {
    return this.passedMs;
  }

  pass(ms: number): void {
    this.passedMs += Math.max(ms, 0);
  }

  readonly sleep = async (ms: number): Promise<void> => this.pass(ms);

  /** So many from the first one on, then a new window: as a store's counter that expires. */
  async take(key: string, requests: number, perMs: number): Promise<number> {
    const window = this.taken.get(key);
    if (!window || this.passedMs >= window.fromMs + perMs) {
      this.taken.set(key, { fromMs: this.passedMs, requests: 1 });
      return 0;
    }
    if (window.requests >= requests) return window.fromMs + perMs - this.passedMs;
    window.requests += 1;
    return 0;
  }
}
