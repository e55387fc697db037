/** What no verdict can mend of a wanted write, and how old a receipt may be. Pure. */
import type { ExceptionGranted, QuestionAsked, VerdictReached } from '@lacuna/events';
import { isFresh, parseInstant, type Register, type WriteTarget } from '@lacuna/evidence';
import { canonicalJson, sha256Hex } from '@lacuna/receipts';
import { removalRefusalOf } from './judge-removal.js';
import { writeKeyOf } from './write-key.js';

/** Reruns after stale receipts, per authorisation. */
export const STALE_RERUNS_MAX = 2;
export const PAYLOAD_BYTES_MAX = 65_536;

/**
 * Why an exception opens no write; null: it does. It is for one receipt and one payload, of a hold alone: never beside a match, and needless
 * beside a no-match (W6). The rest of what stands against a write stands against it too.
 */
export function exceptionRefusalOf(
  { asked, verdict, register }: { readonly asked: QuestionAsked; readonly verdict: VerdictReached; readonly register: Register },
  exception: Pick<ExceptionGranted, 'receiptHash' | 'payloadHash' | 'expiresAt' | 'principal'>,
  nowMs: number,
): string | null {
  if (verdict.verdict === 'match-review') return 'match-review';
  if (verdict.receiptHash !== exception.receiptHash) return 'superseded';
  if (verdict.verdict !== 'evidence-hold') return 'exception-needless';
  if (exception.payloadHash !== asked.intent.payloadHash) return 'payload-changed';
  if (nowMs >= (parseInstant(exception.expiresAt) ?? -Infinity)) return 'exception-expired';
  if (register.policy === 'four-eyes' && exception.principal === asked.principal) return 'own-write';
  const refusal = staticRefusalOf(asked, verdict, register);
  // What a register accepts by name keeps it from writing by itself; here a person does.
  return refusal === 'doubt-accepted' ? null : refusal;
}

/** Why this question gets no write under this register version, whatever is found; null: nothing stands against it. */
export function staticRefusalOf(asked: QuestionAsked, verdict: VerdictReached, register: Register): string | null {
  const { kind } = asked.intent;
  // Refused in any case; the answer says first what the evidence lacks.
  if (kind === 'close' || kind === 'delete') return removalRefusalOf(asked, verdict, register) ?? 'intent-unsupported';
  if (kind !== 'create') return 'intent-unsupported';
  // "It is gone" and "these are all" say nothing about whether another may be made.
  if (asked.kind !== 'exists') return 'kind-unsupported';
  if (!register.target) return 'no-write-target';
  if (!isProtected(register.target)) return 'target-unsupported';
  if (verdict.registerHash !== asked.registerHash || register.hash !== verdict.registerHash) return 'register-changed';
  if (register.policy === 'auto' && register.acceptedDoubts.length > 0) return 'doubt-accepted';
  if (!writeKeyOf(register, asked).isComplete) return 'key-incomplete';
  return payloadRefusalOf(asked);
}

/** W1: an own table has its constraint; of a system that is not ours, the register must say that only our own writes are kept apart. */
const isProtected = (target: WriteTarget): boolean =>
  target.kind === 'own-table' || (target.kind === 'outside' && (target.protection as string) === 'own-writes-only');

export const isReceiptFresh = (verdict: Pick<VerdictReached, 'asOf'>, register: Register, nowMs: number): boolean =>
  isFresh(parseInstant(verdict.asOf), register.freshnessMs, nowMs);

/** Fewer matches than the shortest list that a verdict is cut to: all of them are named. */
const LISTED_WHOLE_MAX = 10;

/** A match that is seen whatever its status (kinds `gone` and `enumerate`) stands against a creation only in one that is not reusable. */
export const standsAgainstCreation = ({ kind }: QuestionAsked, { matches }: VerdictReached, { status }: Register): boolean =>
  kind === 'exists' ||
  matches.length >= LISTED_WHOLE_MAX ||
  matches.some((match) => typeof match.status !== 'string' || !status.reusable.includes(match.status));

function payloadRefusalOf({ intent }: QuestionAsked): string | null {
  if (intent.payload === null || intent.payloadHash === null) return 'payload-missing';
  const bytes = canonicalJson(intent.payload);
  if (bytes.byteLength > PAYLOAD_BYTES_MAX) return 'payload-too-large';
  return sha256Hex(bytes) === intent.payloadHash ? null : 'payload-changed';
}
