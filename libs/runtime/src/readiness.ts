/** Whether the service can do its work now: the database, the event log, its consumer. */
import type { Logger } from 'pino';
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

/** Once per change, not once per probe; not ready yet, while it starts, is no warning. */
export type ReadinessLogger = Pick<Logger, 'info' | 'warn'>;

export class Readiness {
  #stopping = false;
  #wasReady = false;
  #told = '';

  constructor(
    private readonly checks: readonly ReadinessCheck[],
    private readonly logger: ReadinessLogger,
  ) {}

  /** From here on the service is not ready: it is leaving. */
  stopping(): void {
    this.#stopping = true;
  }

  /** What is wrong; nothing: ready. */
  async problems(): Promise<readonly Unready[]> {
    if (this.#stopping) return [{ name: 'process', detail: 'the service is stopping' }];
    const results = await Promise.all(this.checks.map(({ name, check }) => this.#result(name, check)));
    const problems = results.filter((result) => result !== null);
    this.#tell(problems);
    return problems;
  }

  #tell(problems: readonly Unready[]): void {
    const names = problems.map(({ name }) => name).join(', ');
    if (problems.length > 0 && names !== this.#told) this.logger[this.#wasReady ? 'warn' : 'info']({ problems }, `not ready: ${names}`);
    if (problems.length === 0 && this.#told !== '') this.logger.info({}, 'ready');
    this.#wasReady ||= problems.length === 0;
    this.#told = names;
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
