/** What is recorded and told of each attempt. Pure: ids come from what they name, so that a repetition says the same. */
import { type EncodedEvent, encodeEvent, events, type WriteSettled } from '@lacuna/events';
import { digestOf } from './digest-of.js';
import type { SlotClaim } from './slot-store.js';
import type { ClaimOutcome } from './slots.js';
import { type Attempt, authorisationIdOf, type OpenAuthorisation } from './write-desk.js';
import { writeKeyOf } from './write-key.js';

/** How long an authorisation by policy `auto` lives; it is used in the transaction that makes it. */
const AUTO_AUTHORISATION_MS = 3_600_000;

/** What became of an attempt, with the events that say so. */
export interface Settlement {
  readonly questionId: string;
  readonly generation: number;
  readonly answer: WriteSettled['answer'] | 'asked-again' | 'sending';
  readonly recordId: string | null;
  readonly reason: string | null;
  readonly byException: boolean;
  readonly events: readonly EncodedEvent[];
}

/** A permit, made in the write's own transaction, with the authorisation it is made from: by policy `auto` one that is made beside it. */
export interface GrantedWrite {
  readonly authorisationId: string;
  /** Of one that is made now; null: it is there, and is used. */
  readonly policy: 'auto' | 'exception' | null;
  readonly permitId: string;
  readonly questionId: string;
  readonly generation: number;
  readonly target: string;
  readonly keyDigest: string;
  readonly payloadHash: string;
  readonly receiptHash: string;
  readonly expiresAt: Date;
}

export function claimOf({ verdict, register, asked }: Attempt): SlotClaim {
  const { target, keyDigest } = writeKeyOf(register, asked);
  return {
    target,
    isOutside: register.target?.kind === 'outside',
    keyDigest,
    questionId: verdict.questionId,
    generation: verdict.generation,
    recordId: `rec_${digestOf(verdict.tenantId, target, keyDigest, verdict.questionId, verdict.generation)}`,
    payload: asked.intent.payload as Record<string, unknown>,
    principal: asked.principal,
    reusable: verdict.reusable.map(({ recordId }) => recordId),
    reusableStatuses: register.status.reusable,
  };
}

export function grantOf(attempt: Attempt, now: Date): GrantedWrite {
  const { verdict, register, asked } = attempt;
  const { target, keyDigest } = writeKeyOf(register, asked);
  return {
    ...permitOf(attempt),
    policy: attempt.exception ? 'exception' : attempt.authorisationId === null ? 'auto' : null,
    questionId: verdict.questionId,
    generation: verdict.generation,
    target,
    keyDigest,
    payloadHash: asked.intent.payloadHash as string,
    receiptHash: verdict.receiptHash,
    expiresAt: new Date(now.getTime() + AUTO_AUTHORISATION_MS),
  };
}

export function refusal(attempt: Attempt, reason: string, now: Date): Settlement {
  const { tenantId, questionId, generation } = attempt.verdict;
  const refused = { tenantId, questionId, generation, reason, ...exceptionOf(attempt), at: now.toISOString() };
  return settled(attempt, { answer: 'refused', reason }, now, [encodeEvent(events.permitRefused, refused, 'write-guard')]);
}

export function settlementOf(attempt: Attempt, claim: SlotClaim | undefined, outcome: ClaimOutcome | undefined, now: Date): Settlement {
  if (outcome?.type === 'created' && claim) return created(attempt, claim.recordId, now);
  if (outcome?.type === 'claimed') return sending(attempt, now);
  if (outcome?.type === 'exists') return settled(attempt, { answer: 'exists', recordId: outcome.recordId }, now, []);
  const reason = outcome?.type === 'unsettled' ? 'write-in-flight' : 'write-slot-unseen';
  return settled(attempt, { answer: 'unknown', reason }, now, []);
}

export function rerunOf({ verdict }: Attempt, now: Date): Settlement {
  const { tenantId, questionId, generation } = verdict;
  const at = now.toISOString();
  const reason = 'evidence-expired';
  const rerun = { tenantId, questionId, causeId: `stale.${generation}`, cause: reason, exclusions: [], needsAsOf: at, at };
  const told = [encodeEvent(events.questionRerun, rerun, 'write-guard')];
  return { questionId, generation, answer: 'asked-again', recordId: null, reason, byException: false, events: told };
}

/** Somebody is to decide, until the authorisation expires. */
export function requestOf({ verdict, register }: Attempt, authorisation: OpenAuthorisation, now: Date): EncodedEvent {
  const { authorisationId, questionId, target, keyDigest, payloadHash, expiresAtMs } = authorisation;
  const expiresAt = new Date(expiresAtMs).toISOString();
  const request = {
    tenantId: verdict.tenantId,
    questionId,
    authorisationId,
    policy: register.policy,
    target,
    keyDigest,
    payloadHash,
    expiresAt,
  };
  return encodeEvent(events.authorisationRequested, { ...request, at: now.toISOString() }, 'write-guard');
}

export const eventsOf = (settlements: readonly Settlement[]): EncodedEvent[] => settlements.flatMap(({ events: told }) => told);

function created(attempt: Attempt, recordId: string, now: Date): Settlement {
  const { permitId } = permitOf(attempt);
  return settled(attempt, { answer: 'created', recordId, permitId }, now, [permitGranted(attempt, now)]);
}

/** The answer comes once the outside system has given its own. */
function sending(attempt: Attempt, now: Date): Settlement {
  const { questionId, generation } = attempt.verdict;
  const byException = attempt.exception !== undefined;
  return { questionId, generation, answer: 'sending', recordId: null, reason: null, byException, events: [permitGranted(attempt, now)] };
}

function permitGranted(attempt: Attempt, now: Date): EncodedEvent {
  const { tenantId, questionId, generation, receiptHash } = attempt.verdict;
  return encodeEvent(
    events.permitGranted,
    { tenantId, questionId, generation, ...permitOf(attempt), receiptHash, ...exceptionOf(attempt), at: now.toISOString() },
    'write-guard',
  );
}

export type Outcome = Pick<WriteSettled, 'answer'> & Partial<Pick<WriteSettled, 'recordId' | 'reason' | 'permitId'>>;

export function settled(attempt: Attempt, outcome: Outcome, now: Date, before: readonly EncodedEvent[]): Settlement {
  const { verdict, register, asked } = attempt;
  const { tenantId, questionId, generation } = verdict;
  const { target, keyDigest } = writeKeyOf(register, asked);
  const { answer, recordId = null, reason = null, permitId = null } = outcome;
  const key = { target, keyDigest, recordId, reason, permitId };
  const data = { tenantId, questionId, generation, answer, ...key, ...exceptionOf(attempt), at: now.toISOString() };
  const told = [...before, encodeEvent(events.writeSettled, data, 'write-guard')];
  return { questionId, generation, answer, recordId, reason, byException: attempt.exception !== undefined, events: told };
}

const exceptionOf = ({ exception }: Attempt): { readonly exceptionId?: string } =>
  exception ? { exceptionId: exception.exceptionId } : {};

export function permitOf({ verdict, authorisationId, exception }: Attempt): Pick<GrantedWrite, 'authorisationId' | 'permitId'> {
  const permitId = `permit_${digestOf(verdict.tenantId, verdict.questionId, verdict.generation, ...(exception ? [exception.exceptionId] : []))}`;
  return { authorisationId: authorisationId ?? authorisationIdOf(verdict), permitId };
}
