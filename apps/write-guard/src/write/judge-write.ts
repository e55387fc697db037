/**
 * What a verdict means for a wanted write. Pure; the slot's unique constraint has the last word (W1).
 * W2 no write without a fresh no-match and an authorisation; W3 a verdict alone never authorises, and only the newest generation's
 * receipt opens a permit; W4 every attempt gets one answer.
 */
import type { QuestionAsked, VerdictReached } from '@lacuna/events';
import { isFresh, parseInstant, type Register } from '@lacuna/evidence';

/** Reruns after stale receipts, per authorisation. */
export const STALE_RERUNS_MAX = 2;

export interface WantedWrite {
  readonly asked: QuestionAsked;
  /** The newest generation that a verdict was seen of, this one included. */
  readonly newestGeneration: number;
  readonly staleReruns: number;
  /** A message of the question lies in a dead-letter topic. */
  readonly stalled: boolean;
}

export type WriteJudgement =
  /** No write was wanted, or an older generation speaks. */
  | { readonly type: 'nothing' }
  | { readonly type: 'refuse'; readonly reason: string }
  /** The receipt was stale at the moment of writing: ask again. */
  | { readonly type: 'ask-again'; readonly staleReruns: number }
  /** The gate is open: take the slot. */
  | { readonly type: 'write' };

export function judgeWrite(wanted: WantedWrite, verdict: VerdictReached, register: Register, nowMs: number): WriteJudgement {
  const { asked } = wanted;
  if (asked.intent.kind !== 'create' || verdict.generation < wanted.newestGeneration) return { type: 'nothing' };
  const refusal = refusalOf(wanted, verdict, register);
  if (refusal) return { type: 'refuse', reason: refusal };
  if (isFresh(parseInstant(verdict.asOf), register.freshnessMs, nowMs)) return { type: 'write' };
  return wanted.staleReruns < STALE_RERUNS_MAX
    ? { type: 'ask-again', staleReruns: wanted.staleReruns + 1 }
    : { type: 'refuse', reason: 'evidence-expired' };
}

function refusalOf(wanted: WantedWrite, verdict: VerdictReached, register: Register): string | null {
  if (!register.target) return 'no-write-target';
  if (verdict.registerHash !== wanted.asked.registerHash || register.hash !== verdict.registerHash) return 'register-changed';
  if (verdict.verdict !== 'scoped-no-match') return verdict.verdict;
  if (wanted.stalled) return 'delivery-stalled';
  if (register.policy !== 'auto') return 'authorisation-missing';
  if (wanted.asked.intent.payload === null || wanted.asked.intent.payloadHash === null) return 'payload-missing';
  return null;
}
