/** What is wrong with a question's identifiers. A question with a problem is refused before anything is read. */
import { normalForm } from './normalise.js';
import type { IdentifierRule, Register } from './register.js';

export const IDENTIFIER_UNITS_MAX = 512;

export interface IdentifierProblem {
  readonly name: string;
  readonly problem: 'unknown' | 'missing' | 'duplicated' | 'too-long' | 'not-text' | 'bad-format' | 'empty';
  readonly reason: string;
}

interface Named {
  readonly name: string;
  readonly value: string;
}

/** NUL has no place in PostgreSQL text, and half a surrogate pair none in UTF-8. */
const NOT_TEXT = /[\0\p{Surrogate}]/u;

const formatOf = (format: string): RegExp => new RegExp(`^(?:${format})$`, 'u');

const valueProblem = (rule: IdentifierRule, value: string): Omit<IdentifierProblem, 'name'> | null => {
  if (value.length > IDENTIFIER_UNITS_MAX) return { problem: 'too-long', reason: `longer than ${IDENTIFIER_UNITS_MAX} UTF-16 units` };
  if (NOT_TEXT.test(value)) return { problem: 'not-text', reason: 'holds NUL or half a surrogate pair' };
  if (rule.format !== undefined && !formatOf(rule.format).test(value)) return { problem: 'bad-format', reason: `must be ${rule.format}` };
  if (normalForm(rule.normalise, value) === '') return { problem: 'empty', reason: 'empty after normalisation' };
  return null;
};

/** A key that is left out could not be compared, so it is a problem even where the rule says optional. */
const leftOut = (register: Register, asked: ReadonlySet<string>): IdentifierProblem[] =>
  Object.entries(register.identifiers)
    .filter(([name, rule]) => !asked.has(name) && (rule.kind === 'key' || rule.optional !== true))
    .map(([name, rule]) => ({ name, problem: 'missing', reason: `${rule.kind} identifier is not given` }));

export const checkIdentifiers = (register: Register, identifiers: readonly Named[]): readonly IdentifierProblem[] => {
  const asked = new Set<string>();
  const problems: IdentifierProblem[] = [];
  for (const { name, value } of identifiers) {
    const rule = Object.hasOwn(register.identifiers, name) ? register.identifiers[name] : undefined;
    if (asked.has(name)) problems.push({ name, problem: 'duplicated', reason: 'given more than once' });
    asked.add(name);
    const found = rule ? valueProblem(rule, value) : ({ problem: 'unknown', reason: 'not an identifier of this register' } as const);
    if (found) problems.push({ name, ...found });
  }
  return [...problems, ...leftOut(register, asked)];
};
