/**
 * Identifier lookups: that the account or instance of an identifier exists, read from a source of role `lookup`. A value that belongs to
 * nobody is found nowhere, and nothing follows from that.
 */
import { outcomeOf, type IdentifierRules } from './compare-row.js';
import type { Evidence } from './decision.js';
import type { AskedIdentifier } from './facts.js';
import type { Register } from './register.js';

/** How rows of a lookup source are compared: a row confirms when it agrees in every identifier that names the source. */
export const lookupRules = ({ identifiers }: Pick<Register, 'identifiers'>, source: string): IdentifierRules =>
  Object.fromEntries(
    Object.entries(identifiers)
      .filter(([, rule]) => rule.lookup === source)
      .map(([name, { normalise, near }]) => [name, { kind: 'key' as const, normalise, ...(near === undefined ? {} : { near }) }]),
  );

/** What a caller states of a lookup that it did itself counts; where the register names a source, a row of its pages has to confirm. */
export const isConfirmed = ({ pages }: Evidence, register: Register, asked: AskedIdentifier): boolean => {
  const stated = asked.lookup ?? null;
  if (stated !== null) return stated === 'found';
  const source = Object.hasOwn(register.identifiers, asked.name) ? register.identifiers[asked.name]?.lookup : undefined;
  if (source === undefined) return true;
  const rules = lookupRules(register, source);
  return pages.some((page) => page.source === source && page.rows.some((row) => outcomeOf(row.results, rules) === 'match'));
};
