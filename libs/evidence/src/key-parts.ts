/** The key of a question at its write target: the normal forms that a slot's digest is taken of. */
import { keysOf } from './compare-row.js';
import { normalForm } from './normalise.js';
import { normaliserName, normaliserText, normaliserVersions } from './normaliser-text.js';
import type { Normaliser, Register } from './register.js';

/** Normal forms of the key identifiers, in the order of their names; '' for one that was not asked (a digest refuses it). */
export const keyParts = (
  register: Register,
  identifiers: readonly { readonly name: string; readonly value: string }[],
): readonly string[] =>
  [...keysOf(register.identifiers)].sort().map((name) => {
    const asked = identifiers.find((identifier) => identifier.name === name);
    return normalForm(register.identifiers[name]?.normalise ?? [], asked?.value ?? '');
  });

/** With its version: another normal form is another policy. */
const versionedText = (normaliser: Normaliser): string =>
  `${normaliserText(normaliser)} v${normaliserVersions[normaliserName(normaliser)]}`;

/**
 * All that a key's digest depends on besides the values: policy id, then each key's name and its normalisers with parameters and versions, in
 * the order of the names. Two of them at one target would give one record two slots, and make one of them look free. Plain JSON; hashed or
 * compared by the caller.
 */
export const keyPolicy = (register: Pick<Register, 'identifiers' | 'target'>): readonly (string | readonly string[])[] => [
  register.target?.policyId ?? '',
  ...[...keysOf(register.identifiers)].sort().map((name) => [name, ...(register.identifiers[name]?.normalise ?? []).map(versionedText)]),
];
