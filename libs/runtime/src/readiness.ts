/** Whether the service can do its work now: the database, the event log, its consumer. */
import { within } from './within.js';

const CHECK_MS_MAX = 3_000;

export interface ReadinessCheck {
  readonly name: 'database' | 'log' | 'consumer';
  /** @throws when it is not ready; the message says why. */
  readonly check: () => Promise<void>;
}

export interface Unready {
  readonly name: ReadinessCheck['name'] | 'process';
  readonly detail: string;
}

export class Readiness {
  #stopping = false;

  constructor(private readonly checks: readonly ReadinessCheck[]) {}

  /** From here on the service is not ready: it is leaving. */
  stopping(): void {
    this.#stopping = true;
  }

  /** What is wrong; nothing: ready. */
  async problems(): Promise<readonly Unready[]> {
    if (this.#stopping) return [{ name: 'process', detail: 'the service is stopping' }];
    const results = await Promise.all(this.checks.map(({ name, check }) => this.#result(name, check)));
    return results.filter((result) => result !== null);
  }

  async #result(name: ReadinessCheck['name'], check: () => Promise<void>): Promise<Unready | null> {
    try {
      await within(CHECK_MS_MAX, `no answer within ${CHECK_MS_MAX} ms`, check());
      return null;
    } catch (error) {
      return { name, detail: error instanceof Error ? error.message : String(error) };
    }
  }
}
