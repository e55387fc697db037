/**
 * Sends claimed writes to their outside systems.
 * O1 The slot is committed as `in-flight`, and the send as begun, before anything is sent: a successor that finds a send begun does not send.
 * O2 A send whose end nobody knows leaves the slot `unknown`. Nothing but evidence later than its horizon, or a person, frees it.
 * O3 The idempotency key comes from slot and use: every send of one use has the same one.
 * O4 What came of it is kept under the job's fence: of two senders one changes nothing.
 * O5 Nothing is sent on a receipt that is no longer fresh, nor by who lost the lease.
 */
import { createOutside, type CreateInput, type OutsideOutcome, type OutsideTargetDocument } from '@lacuna/connectors';
import { parseInstant, type Register } from '@lacuna/evidence';
import {
  type CrashHook,
  type Database,
  type EventPublisher,
  type JobLease,
  type JobQueue,
  type LeasedJob,
  retryDelayMs,
  type Transaction,
} from '@lacuna/messaging';
import { registerVersions } from '@lacuna/postgres';
import { keepAnswers, matchesSeenTo, unknownAnswersOf } from '../write/authorisation-store.js';
import { digestOf } from '../write/digest-of.js';
import { isReceiptFresh } from '../write/judge-write.js';
import { wantedQuestions } from '../write/question-store.js';
import { type Attempt, keyName } from '../write/write-desk.js';
import { type FinalOutcome, outsideSettlement, SENDS_MAX, UNKNOWN_RERUNS_MAX } from './outside-answers.js';
import { type OutsideJob, outsideJobOf } from './outside-jobs.js';
import { claimedSlot, freeSlot, leaveUnknown, markNotSent, markSending, settleSlot } from './outside-slot-store.js';

/** Before a send that was not processed is repeated; doubled up to the other, or as long as the system asks for. */
const RESEND = { delayMs: 1_000, delayMsMax: 60_000 };
const RETRY_AFTER_MS_MAX = 600_000;

export interface OutsideSenderInput extends Pick<CreateInput, 'secrets' | 'egress' | 'clock'> {
  readonly database: Database;
  readonly jobs: JobQueue;
  readonly publisher: Pick<EventPublisher, 'record'>;
  readonly crash: CrashHook;
}

interface Begun {
  readonly job: OutsideJob;
  readonly attempt: Attempt;
  readonly uses: number;
  readonly clearAt: Date;
}

export class OutsideSender {
  constructor(private readonly input: OutsideSenderInput) {}

  async run(leased: LeasedJob, lease: JobLease): Promise<void> {
    const begun = await this.#begin(leased);
    if (begun === null) return;
    const { crash } = this.input;
    await crash('outside-begun', leased.key);
    if ('outcome' in begun) return this.#settle(leased, begun, begun.outcome);
    const outcome = await this.#send(leased.tenantId, begun, lease);
    await crash('outside-sent', leased.key);
    if (outcome.type === 'not-sent') return this.#again(leased, begun, outcome);
    await this.#settle(leased, begun, outcome);
    await crash('outside-settled', leased.key);
  }

  /** Null: somebody else has the job, or the slot is not this write's. With an outcome: nothing is to be sent. */
  #begin(leased: LeasedJob): Promise<Begun | (Begun & { readonly outcome: FinalOutcome }) | null> {
    const { database, jobs, clock } = this.input;
    const { tenantId } = leased;
    const job = outsideJobOf(leased);
    return database.transaction(async (tx) => {
      await tx.actFor(tenantId);
      const slot = await claimedSlot(tx, tenantId, job);
      const question = (await wantedQuestions(tx, tenantId, [job.questionId])).get(job.questionId);
      const register = await this.#register(tx, tenantId, question?.newest?.registerHash);
      if (!slot || !question?.newest || !register) {
        await jobs.settle(tx, leased);
        return null;
      }
      const verdict = { ...question.newest, generation: job.generation };
      const { authorisationId, exception } = job;
      const attempt: Attempt = { verdict, register, asked: question.asked, authorisationId, ...(exception && { exception }) };
      const now = clock.now();
      const clearAt = new Date((slot.sentAt ?? now).getTime() + sendHorizonMsOf(register));
      const begun: Begun = { job, attempt, uses: slot.uses, clearAt };
      if (slot.sentAt !== null) return { ...begun, outcome: { type: 'unknown', detail: 'its sender is gone' } };
      const contrary = await this.#contrary(tx, attempt, job, now);
      if (contrary !== null) return { ...begun, outcome: { type: 'refused', detail: contrary } };
      // Under the fence, which `store` looks at: a send is begun by one holder alone.
      if (!(await jobs.store(tx, leased, Buffer.from(now.toISOString())))) return null;
      await markSending(tx, tenantId, job, now, clearAt);
      return begun;
    });
  }

  /** What has become known since the slot was claimed; null: nothing stands against the send. */
  async #contrary(tx: Transaction, { verdict, register, exception }: Attempt, job: OutsideJob, now: Date): Promise<string | null> {
    if (verdict.verdict === 'match-review' || (!exception && verdict.verdict === 'evidence-hold')) return verdict.verdict;
    const seenTo = (await matchesSeenTo(tx, verdict.tenantId, [{ ...job, isComplete: true }])).get(keyName(job.target, job.keyDigest));
    if ((seenTo ?? -Infinity) > (parseInstant(exception ? exception.at : verdict.asOf) ?? -Infinity)) return 'match-review';
    if (exception) return now.getTime() < Date.parse(exception.expiresAt) ? null : 'evidence-expired';
    return isReceiptFresh(verdict, register, now.getTime()) ? null : 'evidence-expired';
  }

  async #register(tx: Transaction, tenantId: string, hash: string | undefined) {
    return hash === undefined ? undefined : (await registerVersions<Register>(tx, tenantId, [hash])).get(hash);
  }

  #send(tenantId: string, { job, attempt, uses }: Begun, lease: JobLease): Promise<OutsideOutcome> {
    const { secrets, egress, clock } = this.input;
    const { create } = attempt.register.target as OutsideTargetDocument;
    return createOutside({
      create,
      payload: attempt.asked.intent.payload ?? {},
      idempotencyKey: outsideKeyOf(tenantId, job, uses),
      secrets,
      egress,
      clock,
      signal: lease.signal,
      maySend: () => lease.remainingMs() > 0 && !lease.signal.aborted,
    });
  }

  /** Nothing was processed: the same send once more, later. */
  async #again(leased: LeasedJob, begun: Begun, { retryAfterMs }: Extract<OutsideOutcome, { type: 'not-sent' }>): Promise<void> {
    const { database, jobs, clock } = this.input;
    if (leased.attempts >= SENDS_MAX) return this.#settle(leased, begun, { type: 'refused', detail: 'it could not be sent' });
    const delayMs = Math.max(retryDelayMs(leased.attempts, RESEND), Math.min(retryAfterMs ?? 0, RETRY_AFTER_MS_MAX));
    await database.transaction(async (tx) => {
      await tx.actFor(leased.tenantId);
      if (await jobs.postpone(tx, leased, new Date(clock.now().getTime() + delayMs))) await markNotSent(tx, leased.tenantId, begun.job);
    });
  }

  async #settle(leased: LeasedJob, { job, attempt, clearAt }: Begun, outcome: FinalOutcome): Promise<void> {
    const { publisher, jobs, clock } = this.input;
    const { tenantId } = leased;
    await publisher.record<void>(`${tenantId}:${job.questionId}`, tenantId, async (tx) => {
      const now = clock.now();
      if (!(await jobs.settle(tx, leased)) || !(await keepOutcome(tx, tenantId, job, outcome, now)))
        return { events: [], result: undefined };
      const unknowns = await unknownAnswersOf(tx, tenantId, job.questionId);
      const settlement = outsideSettlement(attempt, outcome, clearAt, unknowns < UNKNOWN_RERUNS_MAX, now);
      await keepAnswers(tx, tenantId, [settlement], now);
      return { events: settlement.events, result: undefined };
    });
  }
}

function keepOutcome(...[tx, tenantId, job, outcome, now]: [...Parameters<typeof claimedSlot>, FinalOutcome, Date]): Promise<boolean> {
  if (outcome.type === 'refused') return freeSlot(tx, tenantId, job, now);
  const recordId = 'recordId' in outcome ? outcome.recordId : null;
  if (recordId !== null) return settleSlot(tx, tenantId, job, recordId, now);
  return leaveUnknown(tx, tenantId, job, outcome.type === 'exists');
}

const sendHorizonMsOf = ({ target }: Register): number => (target?.kind === 'outside' ? target.sendHorizonMs : 0);

/** Not of the attempt: a freed write whose outcome is unknown is sent again under the same key. */
export const outsideKeyOf = (tenantId: string, { target, keyDigest }: Pick<OutsideJob, 'target' | 'keyDigest'>, uses: number): string =>
  `lacuna-${digestOf(tenantId, target, keyDigest, uses)}`;
