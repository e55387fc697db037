/**
 * What a verdict means for a wanted write. Pure; the slot's unique constraint has the last word (W1).
 * W2 no write without a fresh no-match and an authorisation; W3 a verdict alone never authorises, and only the newest generation's
 * receipt opens a permit; W4 every attempt gets one answer.
 */
import type { QuestionAsked, VerdictReached } from '@lacuna/events';
import { isFresh, parseInstant, type Register } from '@lacuna/evidence';
import { canonicalJson, sha256Hex } from '@lacuna/receipts';
import { writeKeyOf } from './write-key.js';

/** Reruns after stale receipts, per authorisation. */
export const STALE_RERUNS_MAX = 2;
export const PAYLOAD_BYTES_MAX = 65_536;

export interface WantedWrite {
  readonly asked: QuestionAsked;
  /** The newest generation that a verdict was seen of, this one included. */
  readonly newestGeneration: number;
  readonly staleReruns: number;
  /** A message of the question lies in a dead-letter topic. */
  readonly stalled: boolean;
}

export type WriteJudgement =
  /** No write was wanted. */
  | { readonly type: 'nothing' }
  | { readonly type: 'refuse'; readonly reason: string }
  /** Nothing is permitted before the stalled delivery is cleared; then it is judged anew. */
  | { readonly type: 'wait' }
  /** The receipt was stale at the moment of writing: ask again. */
  | { readonly type: 'ask-again'; readonly staleReruns: number }
  /** The gate is open: take the slot. */
  | { readonly type: 'write' };

export function judgeWrite(wanted: WantedWrite, verdict: VerdictReached, register: Register, nowMs: number): WriteJudgement {
  if (wanted.asked.intent.kind === 'none') return { type: 'nothing' };
  const reason = refusalOf(wanted, verdict, register) ?? payloadRefusalOf(wanted.asked);
  if (reason) return { type: 'refuse', reason };
  if (wanted.stalled) return { type: 'wait' };
  if (isReceiptFresh(verdict, register, nowMs)) return { type: 'write' };
  return wanted.staleReruns < STALE_RERUNS_MAX
    ? { type: 'ask-again', staleReruns: wanted.staleReruns + 1 }
    : { type: 'refuse', reason: 'evidence-expired' };
}

export const isReceiptFresh = (verdict: Pick<VerdictReached, 'asOf'>, register: Register, nowMs: number): boolean =>
  isFresh(parseInstant(verdict.asOf), register.freshnessMs, nowMs);

function refusalOf({ asked, newestGeneration }: WantedWrite, verdict: VerdictReached, register: Register): string | null {
  if (asked.intent.kind !== 'create') return 'intent-unsupported';
  if (verdict.generation < newestGeneration) return 'superseded';
  if (!register.target) return 'no-write-target';
  if (register.target.kind !== 'own-table') return 'target-unsupported';
  if (verdict.registerHash !== asked.registerHash || register.hash !== verdict.registerHash) return 'register-changed';
  if (verdict.verdict !== 'scoped-no-match') return verdict.verdict;
  if (register.policy !== 'auto') return 'authorisation-missing';
  if (register.acceptedDoubts.length > 0) return 'doubt-accepted';
  return writeKeyOf(register, asked).isComplete ? null : 'key-incomplete';
}

function payloadRefusalOf({ intent }: QuestionAsked): string | null {
  if (intent.payload === null || intent.payloadHash === null) return 'payload-missing';
  const bytes = canonicalJson(intent.payload);
  if (bytes.byteLength > PAYLOAD_BYTES_MAX) return 'payload-too-large';
  return sha256Hex(bytes) === intent.payloadHash ? null : 'payload-changed';
}
