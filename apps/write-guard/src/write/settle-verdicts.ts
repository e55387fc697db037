/**
 * Settles the writes that verdicts open or refuse, in the batch's transaction: load, judge, take the slots, record.
 * 1. A generation is answered once, whatever is repeated (W4).
 * 2. Authorisation, permit, slot, record and answer are one transaction (W2).
 * 3. The receipt is still fresh when the slot is ours: waiting for a lock takes time. Otherwise everything is rolled back and judged anew.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { EncodedEvent, VerdictReached } from '@lacuna/events';
import type { Register } from '@lacuna/evidence';
import type { Transaction } from '@lacuna/messaging';
import { registerVersions } from '@lacuna/postgres';
import { CLOCK, type Clock } from '@lacuna/runtime';
import { grant, keepAnswers, unanswered } from './authorisation-store.js';
import { isReceiptFresh, judgeWrite, type WantedWrite, type WriteJudgement } from './judge-write.js';
import { countStaleReruns, knownQuestions, lockQuestions } from './question-store.js';
import { bindKeyPolicies } from './slot-store.js';
import { Slots } from './slots.js';
import { type Arrival, closeGate, endWaiting, letWait, lockWaiting } from './waiting-store.js';
import { type Attempt, claimOf, eventsOf, grantOf, refusal, rerunOf, type Settlement, settlementOf } from './write-answers.js';
import { keyPolicyOf } from './write-key.js';

interface Arrived {
  readonly registers: ReadonlyMap<string, Register>;
  readonly questions: ReadonlyMap<string, { readonly stalled: boolean }>;
}

type Judged = Attempt & { readonly judgement: WriteJudgement };

/** The receipt grew stale while the transaction waited. `code` is that of a serialization failure: nothing is kept, and it is done again. */
export class ReceiptGrewStaleError extends Error {
  override readonly name = 'ReceiptGrewStaleError';
  readonly code = '40001';
}

@Injectable()
export class SettleVerdicts {
  constructor(
    @Inject(Slots) private readonly slots: Slots,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Verdicts as their topic brings them; those that lack something wait. */
  async reached(tx: Transaction, tenantId: string, verdicts: readonly VerdictReached[]): Promise<EncodedEvent[]> {
    if (verdicts.length === 0) return [];
    let arrived = await readArrived(tx, tenantId, verdicts);
    if (!verdicts.every((verdict) => isReady(arrived, verdict) && !isStalled(arrived, verdict))) {
      await closeGate(tx, tenantId);
      arrived = await readArrived(tx, tenantId, verdicts);
    }
    const waiting = await lockWaiting(tx, tenantId, { questionIds: verdicts.map(({ questionId }) => questionId) });
    const early = verdicts.filter((verdict) => !isReady(arrived, verdict));
    await letWait(tx, tenantId, early, this.clock.now());
    return this.#settle(tx, tenantId, arrived, waiting, verdicts);
  }

  /** Verdicts that waited for this; the caller has passed the gate. What still lacks something goes on waiting. */
  async arrived(tx: Transaction, tenantId: string, arrival: Arrival): Promise<EncodedEvent[]> {
    const waiting = await lockWaiting(tx, tenantId, arrival);
    if (waiting.length === 0) return [];
    return this.#settle(tx, tenantId, await readArrived(tx, tenantId, waiting), waiting, []);
  }

  async #settle(
    tx: Transaction,
    tenantId: string,
    arrived: Arrived,
    waiting: readonly VerdictReached[],
    reached: readonly VerdictReached[],
  ): Promise<EncodedEvent[]> {
    const ready = [...waiting, ...reached].filter((verdict) => isReady(arrived, verdict));
    if (ready.length === 0) return [];
    const wanted = await lockQuestions(tx, tenantId, ready);
    const open = await unanswered(tx, tenantId, ready);
    const now = this.clock.now();
    const judged = open.flatMap((verdict) => judge(arrived, wanted.get(verdict.questionId), verdict, now));
    const blocked = judged.filter(({ judgement }) => judgement.type === 'wait').map(({ verdict }) => verdict);
    await letWait(tx, tenantId, blocked, now);
    const settlements = await this.#record(tx, tenantId, judged, now);
    const isBlocked = new Set(blocked.map(generationKey));
    await endWaiting(
      tx,
      tenantId,
      waiting.filter((verdict) => isReady(arrived, verdict) && !isBlocked.has(generationKey(verdict))),
    );
    return eventsOf(settlements);
  }

  async #record(tx: Transaction, tenantId: string, judged: readonly Judged[], now: Date): Promise<Settlement[]> {
    const refused = judged.flatMap(({ judgement, ...attempt }) =>
      judgement.type === 'refuse' ? [refusal(attempt, judgement.reason, now)] : [],
    );
    const counts = new Map<string, number>();
    const reruns = judged.flatMap(({ judgement, ...attempt }): Settlement[] => {
      if (judgement.type !== 'ask-again') return [];
      counts.set(attempt.verdict.questionId, judgement.staleReruns);
      return [rerunOf(attempt, now)];
    });
    const written = await this.#write(
      tx,
      tenantId,
      judged.filter(({ judgement }) => judgement.type === 'write'),
      now,
    );
    const settlements = [...refused, ...written, ...reruns];
    await keepAnswers(tx, tenantId, settlements, now);
    await countStaleReruns(tx, tenantId, counts);
    return settlements;
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
    const created = writes.filter((_, index) => outcomes[index]?.type === 'created');
    this.#assertFresh(created);
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
    const stale = created.find(({ verdict, register }) => !isReceiptFresh(verdict, register, nowMs));
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

const generationKey = ({ questionId, generation }: VerdictReached): string => JSON.stringify([questionId, generation]);

function judge(arrived: Arrived, wanted: Omit<WantedWrite, 'stalled'> | undefined, verdict: VerdictReached, now: Date): Judged[] {
  const register = arrived.registers.get(verdict.registerHash);
  if (!wanted || !register) return [];
  const judgement = judgeWrite({ ...wanted, stalled: isStalled(arrived, verdict) }, verdict, register, now.getTime());
  return [{ verdict, register, asked: wanted.asked, judgement }];
}
