/**
 * Whether the read model has seen all that the log had when a request came. Only then may "we do not have it" be said.
 */
import type { Database, EventLog, PositionStore } from '@lacuna/messaging';
import { setTimeout as after } from 'node:timers/promises';

/** How long a request waits for the read model before it says that it does not know yet. */
export const CATCH_UP_MS_MAX = 2_000;
const POLL_MS = 20;

export class ReadModelPosition {
  constructor(
    private readonly log: EventLog,
    private readonly database: Database,
    private readonly positions: PositionStore,
    private readonly group: string,
  ) {}

  /** True as soon as every partition's position is at the end that the topic has now; false after `waitMsMax`. */
  async reaches(topic: string, waitMsMax: number): Promise<boolean> {
    const ends = await this.endsNow(topic);
    if (!ends) return false;
    const looksMax = 1 + Math.ceil(waitMsMax / POLL_MS);
    for (let look = 1; look <= looksMax; look += 1) {
      if (await this.hasReached(topic, ends)) return true;
      if (look < looksMax) await after(POLL_MS);
    }
    return false;
  }

  /** Whether all these topics are handled up to their ends of this moment. */
  async reachesAll(topics: readonly string[]): Promise<boolean> {
    for (const topic of topics) if (!(await this.reaches(topic, 0))) return false;
    return true;
  }

  /** Null when the log does not answer: then nothing is known of its end. */
  private endsNow(topic: string): Promise<ReadonlyMap<number, bigint> | null> {
    return this.log.ends(topic).catch(() => null);
  }

  private hasReached(topic: string, ends: ReadonlyMap<number, bigint>): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      for (const [partition, end] of ends) {
        const position = await this.positions.read(tx, this.group, { topic, partition });
        if ((position ?? 0n) < end) return false;
      }
      return true;
    });
  }
}
