/** The key of a question at its write target: the normal forms that a slot's digest is taken of. */
import { keysOf } from './compare-row.js';
import { normalForm } from './normalise.js';
import type { Register } from './register.js';

/** Normal forms of the key identifiers, in the order of their names; '' for one that was not asked (a digest refuses it). */
export const keyParts = (
  register: Register,
  identifiers: readonly { readonly name: string; readonly value: string }[],
): readonly string[] =>
  [...keysOf(register.identifiers)].sort().map((name) => {
    const asked = identifiers.find((identifier) => identifier.name === name);
    return normalForm(register.identifiers[name]?.normalise ?? [], asked?.value ?? '');
  });
