/** How often a source may be asked, by all who share the limiter. */
import { RateLimiterMemory, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';

export interface RateLimiter {
  /** 0: one request is taken. Else how long to wait, ms, before asking again. */
  take(key: string, requests: number, perMs: number): Promise<number>;
}

type MakeLimiter = (settings: { readonly keyPrefix: string; readonly points: number; readonly duration: number }) => RateLimiterAbstract;

const LIMITERS_MAX = 1_000;

/** One counter of rate-limiter-flexible per rate; where the counters live is the maker's. */
export class FlexibleRateLimiter implements RateLimiter {
  private readonly limiters = new Map<string, RateLimiterAbstract>();

  constructor(private readonly make: MakeLimiter) {}

  async take(key: string, requests: number, perMs: number): Promise<number> {
    try {
      await this.limiterOf(requests, perMs).consume(key);
      return 0;
    } catch (rejected) {
      if (rejected instanceof RateLimiterRes) return Math.max(rejected.msBeforeNext, 1);
      throw rejected;
    }
  }

  private limiterOf(requests: number, perMs: number): RateLimiterAbstract {
    const rate = `${requests}per${perMs}`;
    const known = this.limiters.get(rate);
    if (known) return known;
    if (this.limiters.size >= LIMITERS_MAX) this.limiters.clear();
    const made = this.make({ keyPrefix: `lacuna-${rate}`, points: requests, duration: perMs / 1_000 });
    this.limiters.set(rate, made);
    return made;
  }
}

/** Of this process alone. */
export const memoryRateLimiter = (): RateLimiter => new FlexibleRateLimiter((settings) => new RateLimiterMemory(settings));
