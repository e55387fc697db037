/**
 * Settles wanted writes, in the transaction of what happened to them: load, judge (WriteDesk), take the slots, record.
 * 1. A generation is answered once, whatever is repeated (W4).
 * 2. Permit, slot, record and answer are one transaction, with the authorisation's use (W2).
 * 3. The receipt is still fresh when the slot is ours: waiting for a lock takes time. Otherwise everything is rolled back and judged anew.
 * 4. Locks in the order gate, waiting verdicts, questions, authorisations, slots: an authorisation is used or ended, never both (W3).
 */
import { Inject, Injectable } from '@nestjs/common';
import type { AuthorisationDecided, EncodedEvent, ExceptionGranted, VerdictReached } from '@lacuna/events';
import type { Register } from '@lacuna/evidence';
import type { JobQueue, Transaction } from '@lacuna/messaging';
import { registerVersions } from '@lacuna/postgres';
import { CLOCK, type Clock, JOB_QUEUE } from '@lacuna/runtime';
import { endException, grant, isExceptionOver, keepAnswers, keepAuthorisations, keepMatchesSeen } from './authorisation-store.js';
import { expiryJobsOf } from './expiry-jobs.js';
import { isReceiptFresh } from './judge-write.js';
import { loadDesk } from './load-desk.js';
import { countStaleReruns, keepNewest, knownQuestions, lockQuestions } from './question-store.js';
import { bindKeyPolicies } from './key-policy-store.js';
import { outsideJobsOf } from '../outside/outside-jobs.js';
import { type ClaimOutcome, Slots } from './slots.js';
import { type Place, waitingJobsOf, type WaitingDeadline } from './waiting-deadline.js';
import { type Arrival, closeGate, endWaiting, letWait, lockWaiting } from './waiting-store.js';
import { claimOf, eventsOf, grantOf, refusal, requestOf, rerunOf, type Settlement, settlementOf } from './write-answers.js';
import { type Attempt, attemptKey, type WriteDesk } from './write-desk.js';
import { keyPolicyOf } from './write-key.js';

interface Arrived {
  readonly registers: ReadonlyMap<string, Register>;
  readonly questions: ReadonlyMap<string, { readonly stalled: boolean }>;
}

/** The receipt grew stale while the transaction waited. `code` is that of a serialization failure: nothing is kept, and it is done again. */
export class ReceiptGrewStaleError extends Error {
  override readonly name = 'ReceiptGrewStaleError';
  readonly code = '40001';
}

@Injectable()
export class SettleWrites {
  constructor(
    @Inject(Slots) private readonly slots: Slots,
    @Inject(JOB_QUEUE) private readonly jobs: JobQueue,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Verdicts as their topic brings them; those that lack something wait. */
  async reached(tx: Transaction, tenantId: string, reached: ReadonlyMap<VerdictReached, Place>): Promise<EncodedEvent[]> {
    const verdicts = [...reached.keys()];
    if (verdicts.length === 0) return [];
    let arrived = await readArrived(tx, tenantId, verdicts);
    if (!verdicts.every((verdict) => isReady(arrived, verdict) && !isStalled(arrived, verdict))) {
      await closeGate(tx, tenantId);
      arrived = await readArrived(tx, tenantId, verdicts);
    }
    const waiting = await lockWaiting(tx, tenantId, { questionIds: verdicts.map(({ questionId }) => questionId) });
    const early = new Map([...reached].filter(([verdict]) => !isReady(arrived, verdict)));
    await letWait(tx, tenantId, [...early.keys()], this.clock.now());
    await this.jobs.enqueue(tx, waitingJobsOf(tenantId, early, this.clock.now()));
    return this.#settleVerdicts(tx, tenantId, arrived, waiting, verdicts);
  }

  /** Verdicts that waited for this; the caller has passed the gate. What still lacks something goes on waiting. */
  async arrived(tx: Transaction, tenantId: string, arrival: Arrival): Promise<EncodedEvent[]> {
    const waiting = await lockWaiting(tx, tenantId, arrival);
    if (waiting.length === 0) return [];
    return this.#settleVerdicts(tx, tenantId, await readArrived(tx, tenantId, waiting), waiting, []);
  }

  /** The verdict that still lacks its question or its register: it waits no more. One that a stalled delivery keeps back has its case already. */
  async waitedTooLong(tx: Transaction, tenantId: string, { questionId, generation }: WaitingDeadline): Promise<VerdictReached | null> {
    await closeGate(tx, tenantId);
    const waiting = await lockWaiting(tx, tenantId, { questionIds: [questionId] });
    const verdict = waiting.find((one) => one.generation === generation);
    if (!verdict || isReady(await readArrived(tx, tenantId, [verdict]), verdict)) return null;
    await endWaiting(tx, tenantId, [verdict]);
    return verdict;
  }

  /** Deliveries of these questions were cleared; the caller has passed the gate. */
  async cleared(tx: Transaction, tenantId: string, questionIds: readonly string[]): Promise<EncodedEvent[]> {
    const waited = await this.arrived(tx, tenantId, { questionIds });
    const looked = await this.#settle(tx, tenantId, questionIds, (desk) => questionIds.forEach((questionId) => desk.lookAgain(questionId)));
    return [...waited, ...looked];
  }

  /** People decided on authorisations. */
  async decided(tx: Transaction, tenantId: string, decisions: readonly AuthorisationDecided[]): Promise<EncodedEvent[]> {
    const questionIds = decisions.map(({ questionId }) => questionId);
    return this.#settle(tx, tenantId, questionIds, (desk) => decisions.forEach((decision) => desk.decided(decision)));
  }

  /** A person accepted the risk of a hold, for one use. Null: it has to wait for its verdict, or for a stalled delivery. */
  async excepted(tx: Transaction, tenantId: string, exception: ExceptionGranted): Promise<EncodedEvent[] | null> {
    await lockQuestions(tx, tenantId, [exception.questionId]);
    if (await isExceptionOver(tx, tenantId, exception.exceptionId)) return [];
    const looked = { at: false };
    const told = await this.#settle(tx, tenantId, [exception.questionId], (desk) => {
      looked.at = desk.excepted(exception);
    });
    if (!looked.at) return null;
    await endException(tx, tenantId, exception, this.clock.now());
    return told;
  }

  /** The time of an authorisation may be over. */
  async expired(tx: Transaction, tenantId: string, { questionId, authorisationId }: { questionId: string; authorisationId: string }) {
    return this.#settle(tx, tenantId, [questionId], (desk) => desk.expired(authorisationId));
  }

  async #settleVerdicts(
    tx: Transaction,
    tenantId: string,
    arrived: Arrived,
    waiting: readonly VerdictReached[],
    reached: readonly VerdictReached[],
  ): Promise<EncodedEvent[]> {
    const ready = once([...waiting, ...reached].filter((verdict) => isReady(arrived, verdict)));
    if (ready.length === 0) return [];
    const isBlocked = new Set<string>();
    const told = await this.#settle(
      tx,
      tenantId,
      ready.map(({ questionId }) => questionId),
      (desk) => {
        desk.announce(ready);
        for (const verdict of ready) desk.verdict(verdict);
        for (const verdict of desk.blocked) isBlocked.add(attemptKey(verdict));
      },
    );
    const done = waiting.filter((verdict) => isReady(arrived, verdict) && !isBlocked.has(attemptKey(verdict)));
    await endWaiting(tx, tenantId, done);
    return told;
  }

  async #settle(
    tx: Transaction,
    tenantId: string,
    questionIds: readonly string[],
    judge: (desk: WriteDesk) => void,
  ): Promise<EncodedEvent[]> {
    if (questionIds.length === 0) return [];
    const now = this.clock.now();
    const { desk, questions } = await loadDesk(tx, tenantId, questionIds, now);
    judge(desk);
    await letWait(tx, tenantId, desk.blocked, now);
    const refused = desk.refusals.map(({ attempt, reason }) => refusal(attempt, reason, now));
    const written = await this.#write(tx, tenantId, desk.writes, now);
    const settlements = [...refused, ...written, ...desk.reruns.map((attempt) => rerunOf(attempt, now))];
    await keepAnswers(tx, tenantId, settlements, now);
    await keepNewest(tx, tenantId, questions);
    await countStaleReruns(tx, tenantId, desk.staleReruns);
    await keepMatchesSeen(tx, tenantId, [...desk.matchesSeen.values()], now);
    await keepAuthorisations(tx, tenantId, desk, now);
    await this.jobs.enqueue(tx, expiryJobsOf(tenantId, desk.requested));
    return [...desk.requested.map(({ attempt, authorisation }) => requestOf(attempt, authorisation, now)), ...eventsOf(settlements)];
  }

  async #write(tx: Transaction, tenantId: string, attempts: readonly Attempt[], now: Date): Promise<Settlement[]> {
    if (attempts.length === 0) return [];
    const policies = await bindKeyPolicies(
      tx,
      tenantId,
      new Map(attempts.map(({ register }) => [register.target?.name ?? '', keyPolicyOf(register)])),
    );
    const mayWrite = ({ register }: Attempt) => policies.get(register.target?.name ?? '') === keyPolicyOf(register);
    const writes = attempts.filter(mayWrite);
    const claims = writes.map(claimOf);
    const outcomes = await this.slots.claim(tx, tenantId, claims, now);
    const isOurs = (type: ClaimOutcome['type'] | undefined) => type === 'created' || type === 'claimed';
    const created = writes.filter((_, index) => isOurs(outcomes[index]?.type));
    this.#assertFresh(created);
    await this.jobs.enqueue(
      tx,
      outsideJobsOf(
        tenantId,
        writes.filter((_, index) => outcomes[index]?.type === 'claimed'),
        now,
      ),
    );
    await grant(
      tx,
      tenantId,
      created.map((attempt) => grantOf(attempt, now)),
      now,
    );
    const apart = attempts.filter((attempt) => !mayWrite(attempt)).map((attempt) => refusal(attempt, 'key-policy-differs', now));
    return [...apart, ...writes.map((attempt, index) => settlementOf(attempt, claims[index], outcomes[index], now))];
  }

  #assertFresh(created: readonly Attempt[]): void {
    const nowMs = this.clock.now().getTime();
    // An exception stands in the place of fresh evidence; its own time was looked at.
    const stale = created.find(({ verdict, register, exception }) => !exception && !isReceiptFresh(verdict, register, nowMs));
    if (stale) throw new ReceiptGrewStaleError(`the receipt ${stale.verdict.receiptId} grew stale while the write waited for its slot`);
  }
}

async function readArrived(tx: Transaction, tenantId: string, verdicts: readonly VerdictReached[]): Promise<Arrived> {
  return {
    registers: await registerVersions<Register>(
      tx,
      tenantId,
      verdicts.map((verdict) => verdict.registerHash),
    ),
    questions: await knownQuestions(
      tx,
      tenantId,
      verdicts.map((verdict) => verdict.questionId),
    ),
  };
}

const isReady = ({ registers, questions }: Arrived, verdict: VerdictReached): boolean =>
  registers.has(verdict.registerHash) && questions.has(verdict.questionId);

const isStalled = ({ questions }: Arrived, verdict: VerdictReached): boolean => questions.get(verdict.questionId)?.stalled === true;

const once = (verdicts: readonly VerdictReached[]): VerdictReached[] => [
  ...new Map(verdicts.map((verdict) => [attemptKey(verdict), verdict])).values(),
];
