/**
 * Works a hold that heals by waiting: asks again after the register's delay, `autoReruns` times per question; then opens the case. A hold
 * that a newer verdict has made old ends without either.
 */
import { type EncodedEvent, encodeEvent, events, type QuestionRerun, type VerdictReached } from '@lacuna/events';
import type { Register } from '@lacuna/evidence';
import type { Clock, Database, EventPublisher, JobQueue, LeasedJob, Transaction } from '@lacuna/messaging';
import { registerVersions } from '@lacuna/postgres';
import { noteNewest, takeAutoRerun } from './case-store.js';
import { decodeHold } from './hold-jobs.js';
import { caseOf } from './judge-verdict.js';
import { open } from './open-cases.js';

/** A register that was not published here yet is looked for again after this. */
const REGISTER_DELAY_MS = 250;
/** About a minute; then the case is opened, since nobody knows how many reruns the register allows. */
const REGISTER_LOOKS_MAX = 240;

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
    const holds = register?.holds ?? (job.attempts < REGISTER_LOOKS_MAX ? null : { autoReruns: 0, autoRerunDelayMs: 0 });
    if (!holds) return this.#later(job, new Date(nowMs + REGISTER_DELAY_MS));
    const dueMs = Date.parse(verdict.decidedAt) + holds.autoRerunDelayMs;
    if (holds.autoReruns > 0 && nowMs < dueMs) return this.#later(job, new Date(dueMs));
    await this.#settle(job, verdict, holds.autoReruns);
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
  async #settle(job: LeasedJob, verdict: VerdictReached, rerunsMax: number): Promise<void> {
    const { publisher, jobs } = this.input;
    await publisher.record<void>(`${verdict.tenantId}:${verdict.questionId}`, verdict.tenantId, async (tx) => {
      const newest = await noteNewest(tx, verdict.tenantId, [verdict]);
      if (!(await jobs.settle(tx, job))) throw new Error(`the hold ${job.key} has another holder`);
      const isOld = (newest.get(verdict.questionId) ?? 0) > verdict.generation;
      return { events: isOld ? [] : await this.#eventsOf(tx, verdict, rerunsMax), result: undefined };
    });
  }

  async #eventsOf(tx: Transaction, verdict: VerdictReached, rerunsMax: number): Promise<EncodedEvent[]> {
    const { jobs, clock, webhookUrl } = this.input;
    const now = clock.now();
    const rerun = await takeAutoRerun(tx, verdict.tenantId, verdict, rerunsMax, now);
    if (rerun === 'repeated') return [];
    if (rerun === 'taken') return [encodeEvent(events.questionRerun, rerunOf(verdict, now), 'notifier')];
    return open(tx, verdict.tenantId, [caseOf(verdict, now)], { jobs, webhookUrl, now });
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
