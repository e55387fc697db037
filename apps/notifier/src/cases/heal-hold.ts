/**
 * Works a hold that heals by waiting: asks again after the register's delay, `autoReruns` times per question; then opens the case.
 */
import { encodeEvent, events, type QuestionRerun, type VerdictReached } from '@lacuna/events';
import type { Register } from '@lacuna/evidence';
import type { Clock, Database, EventPublisher, JobQueue, LeasedJob, Transaction } from '@lacuna/messaging';
import { registerVersions } from '@lacuna/postgres';
import { takeAutoRerun } from './case-store.js';
import { decodeHold } from './hold-jobs.js';
import { caseOf } from './judge-verdict.js';
import { open } from './open-cases.js';

/** A register that was not published here yet is looked for again after this. */
const REGISTER_DELAY_MS = 250;

export interface HealHoldInput {
  readonly database: Database;
  readonly jobs: JobQueue;
  readonly publisher: Pick<EventPublisher, 'record'>;
  readonly clock: Clock;
  readonly webhookUrl: string | null;
}

export class HealHold {
  constructor(private readonly input: HealHoldInput) {}

  async run(job: LeasedJob): Promise<void> {
    const verdict = decodeHold(job.payload);
    const register = await this.#register(verdict);
    const nowMs = this.input.clock.now().getTime();
    const dueMs = register ? Date.parse(verdict.decidedAt) + register.holds.autoRerunDelayMs : nowMs + REGISTER_DELAY_MS;
    if (!register || (register.holds.autoReruns > 0 && nowMs < dueMs)) return this.#later(job, new Date(dueMs));
    await this.#settle(job, verdict, register);
  }

  async #register({ tenantId, registerHash }: VerdictReached): Promise<Register | undefined> {
    return this.input.database.transaction(async (tx) => {
      await tx.actFor(tenantId);
      return (await registerVersions<Register>(tx, tenantId, [registerHash])).get(registerHash);
    });
  }

  async #later(job: LeasedJob, due: Date): Promise<void> {
    await this.input.database.transaction((tx) => this.input.jobs.postpone(tx, job, due));
  }

  /** The rerun or the case, in the transaction that settles the job. */
  async #settle(job: LeasedJob, verdict: VerdictReached, register: Register): Promise<void> {
    const { publisher, jobs, clock, webhookUrl } = this.input;
    const { tenantId, questionId } = verdict;
    await publisher.record<void>(`${tenantId}:${questionId}`, tenantId, async (tx: Transaction) => {
      if (!(await jobs.settle(tx, job))) throw new Error(`the hold ${job.key} has another holder`);
      const now = clock.now();
      if (await takeAutoRerun(tx, tenantId, verdict, register.holds.autoReruns, now)) {
        return { events: [encodeEvent(events.questionRerun, rerunOf(verdict, now), 'notifier')], result: undefined };
      }
      return { events: await open(tx, tenantId, [caseOf(verdict, now)], { jobs, webhookUrl, now }), result: undefined };
    });
  }
}

const rerunOf = ({ tenantId, questionId, generation }: VerdictReached, now: Date): QuestionRerun => ({
  tenantId,
  questionId,
  causeId: `auto.${generation}`,
  cause: 'heals-by-waiting',
  exclusions: [],
  needsAsOf: null,
  at: now.toISOString(),
});
