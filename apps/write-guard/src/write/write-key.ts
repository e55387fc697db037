/** The key of a wanted write at its target. Pure. */
import type { QuestionAsked } from '@lacuna/events';
import { keyParts, keyPolicy, type Register } from '@lacuna/evidence';
import { canonicalJson, keyDigest, sha256Hex } from '@lacuna/receipts';

export interface WriteKey {
  readonly target: string;
  /** SHA-256 of the RFC 8785 array [policy id, part, ...]. */
  readonly keyDigest: string;
  /** False: a part is missing or empty, so the digest names no slot and stands only in a refusal. */
  readonly isComplete: boolean;
}

export function writeKeyOf(register: Register, asked: Pick<QuestionAsked, 'identifiers'>): WriteKey {
  const parts = keyParts(register, asked.identifiers);
  const policyId = register.target?.policyId ?? '';
  const isComplete = policyId !== '' && parts.length > 0 && parts.every((part) => part !== '');
  const digest = isComplete ? keyDigest(policyId, parts) : sha256Hex(canonicalJson([policyId, ...parts]));
  return { target: register.target?.name ?? 'none', keyDigest: digest, isComplete };
}

/** `keyPolicy` of the core as text: what is bound to a target at its first write. */
export function keyPolicyOf(register: Register): string {
  return canonicalJson(keyPolicy(register)).toString('utf8');
}
