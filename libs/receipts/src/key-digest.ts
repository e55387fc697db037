import { canonicalJson, sha256Hex } from './canonical-json.js';
import { InputRefusedError } from './input-refused-error.js';

/**
 * The digest that a slot's unique constraint compares: SHA-256 (64 hex digits) of the RFC 8785 array `[policyId, ...parts]`. Being an array,
 * `['ab', 'c']` and `['a', 'bc']` differ. Parts are compared as given: the write target's normalisers run before.
 *
 * @throws InputRefusedError `policy-id-missing`, `key-part-missing` (no part at all, or one that is empty or not a string): two records of
 *   which nothing is known would otherwise take one slot.
 */
export function keyDigest(policyId: string, parts: readonly string[]): string {
  if (!isFilled(policyId)) throw new InputRefusedError('policy-id-missing', 'a key digest needs the id of its key policy');
  if (parts.length === 0) throw new InputRefusedError('key-part-missing', 'a key digest needs at least one part');
  for (let index = 0; index < parts.length; index += 1) {
    if (!isFilled(parts[index])) throw new InputRefusedError('key-part-missing', `part ${index} of the key is missing or empty`);
  }
  return sha256Hex(canonicalJson([policyId, ...parts]));
}

function isFilled(part: unknown): boolean {
  return typeof part === 'string' && part !== '';
}
