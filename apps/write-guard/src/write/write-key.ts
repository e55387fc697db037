/** The key of a wanted write at its target. Pure. */
import type { QuestionAsked } from '@lacuna/events';
import { keyParts, type Register } from '@lacuna/evidence';
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

/** All that a key's digest depends on besides the values: two of them at one target would give one key two slots. */
export function keyPolicyOf(register: Register): string {
  const keys = Object.entries(register.identifiers).filter(([, rule]) => rule.kind === 'key');
  const rules = keys.map(([name, rule]) => [name, ...rule.normalise]).sort((left, right) => (String(left[0]) < String(right[0]) ? -1 : 1));
  return canonicalJson([register.target?.policyId ?? '', ...rules]).toString('utf8');
}
