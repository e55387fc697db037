/**
 * Requests that wait for an answer.
 *
 * Its job: wake a waiter soon after the read model has what it waits for, without a query per waiter.
 * 1. A waiter costs memory only; all waiters of a tenant share one query per look, and are given what it found.
 * 2. `touched` is a hint from a batch that is about to commit; looks follow it at growing distances, since the commit comes after it.
 * 3. Without a hint (another process handled the batch) every waiter is still looked at each `pollMs`.
 * 4. A waiter ends by answer, deadline or abort, each exactly once; nothing of it stays behind.
 */

export interface WaitingRoomOptions<Found> {
  /** What is known of those of these questions of one tenant that are settled, by id. */
  readonly settledAmong: (tenantId: string, questionIds: readonly string[]) => Promise<ReadonlyMap<string, Found>>;
  readonly pollMs: number;
  readonly waitersMax: number;
  /** Questions per look, at most. */
  readonly questionsPerLookMax: number;
  readonly onError: (error: unknown) => void;
}

export type WaitEnd<Found> =
  { readonly how: 'settled'; readonly found: Found } | { readonly how: 'deadline' | 'aborted' | 'full'; readonly found: null };

interface Waiter<Found> {
  readonly tenantId: string;
  readonly questionId: string;
  readonly end: (end: WaitEnd<Found>) => void;
}

const FIRST_LOOK_MS = 4;

export class WaitingRoom<Found> {
  private readonly waiters = new Map<string, Set<Waiter<Found>>>();
  private count = 0;
  private timer: NodeJS.Timeout | null = null;
  private nextLookMs: number;
  private looking = false;

  constructor(private readonly options: WaitingRoomOptions<Found>) {
    this.nextLookMs = options.pollMs;
  }

  get size(): number {
    return this.count;
  }

  /** Resolves when the question is settled, at the latest after `waitMs`, or when `signal` aborts. */
  wait(tenantId: string, questionId: string, waitMs: number, signal: AbortSignal): Promise<WaitEnd<Found>> {
    if (signal.aborted) return Promise.resolve({ how: 'aborted', found: null });
    if (this.count >= this.options.waitersMax) return Promise.resolve({ how: 'full', found: null });
    return new Promise((resolve) => {
      const waiter: Waiter<Found> = { tenantId, questionId, end: (end) => finish(end) };
      const deadline = setTimeout(() => finish({ how: 'deadline', found: null }), waitMs);
      const abort = () => finish({ how: 'aborted', found: null });
      const finish = (end: WaitEnd<Found>) => {
        clearTimeout(deadline);
        signal.removeEventListener('abort', abort);
        this.remove(waiter);
        resolve(end);
      };
      signal.addEventListener('abort', abort, { once: true });
      this.add(waiter);
    });
  }

  /** These questions moved in a batch that is about to commit. */
  touched(tenantId: string, questionIds: readonly string[]): void {
    if (!questionIds.some((questionId) => this.waiters.has(keyOf(tenantId, questionId)))) return;
    this.nextLookMs = FIRST_LOOK_MS;
    this.arm();
  }

  /** Ends every wait; for shutdown. */
  close(): void {
    for (const waiters of [...this.waiters.values()]) for (const waiter of [...waiters]) waiter.end({ how: 'aborted', found: null });
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
  }

  private add(waiter: Waiter<Found>): void {
    const key = keyOf(waiter.tenantId, waiter.questionId);
    const waiters = this.waiters.get(key) ?? new Set();
    this.waiters.set(key, waiters.add(waiter));
    this.count += 1;
    if (!this.timer) this.arm();
  }

  private remove(waiter: Waiter<Found>): void {
    const key = keyOf(waiter.tenantId, waiter.questionId);
    const waiters = this.waiters.get(key);
    if (!waiters?.delete(waiter)) return;
    if (waiters.size === 0) this.waiters.delete(key);
    this.count -= 1;
  }

  private arm(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = this.count === 0 ? null : setTimeout(() => void this.look(), this.nextLookMs);
  }

  private async look(): Promise<void> {
    if (this.looking) return;
    this.looking = true;
    this.nextLookMs = Math.min(this.nextLookMs * 2, this.options.pollMs);
    try {
      for (const [tenantId, questionIds] of this.waitingByTenant()) await this.wake(tenantId, questionIds);
    } catch (error) {
      this.options.onError(error);
    } finally {
      this.looking = false;
      this.arm();
    }
  }

  private async wake(tenantId: string, questionIds: readonly string[]): Promise<void> {
    for (let from = 0; from < questionIds.length; from += this.options.questionsPerLookMax) {
      const settled = await this.options.settledAmong(tenantId, questionIds.slice(from, from + this.options.questionsPerLookMax));
      for (const [questionId, found] of settled) {
        for (const waiter of [...(this.waiters.get(keyOf(tenantId, questionId)) ?? [])]) waiter.end({ how: 'settled', found });
      }
    }
  }

  private waitingByTenant(): Map<string, string[]> {
    const byTenant = new Map<string, string[]>();
    for (const [waiter] of this.waiters.values()) {
      if (!waiter) continue;
      const ids = byTenant.get(waiter.tenantId) ?? [];
      ids.push(waiter.questionId);
      byTenant.set(waiter.tenantId, ids);
    }
    return byTenant;
  }
}

const keyOf = (tenantId: string, questionId: string) => `${tenantId}:${questionId}`;
