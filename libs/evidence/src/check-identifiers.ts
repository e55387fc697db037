/** What is wrong with a question's identifiers. A question with a problem is refused before anything is read. */
import { withoutInvisible } from './normal-form/invisible.js';
import { isReadable, normalForm } from './normalise.js';
import type { IdentifierRule, Register } from './register.js';

export const IDENTIFIER_UNITS_MAX = 512;

export interface IdentifierProblem {
  readonly name: string;
  readonly problem: 'unknown' | 'missing' | 'duplicated' | 'too-long' | 'not-text' | 'bad-format' | 'unreadable' | 'empty' | 'invisible';
  readonly reason: string;
}

interface Named {
  readonly name: string;
  readonly value: string;
}

/** NUL has no place in PostgreSQL text, and half a surrogate pair none in UTF-8. */
const NOT_TEXT = /[\0\p{Surrogate}]/u;

/** Its normal form may change once Unicode assigns it, and a key's digest with it. */
const UNASSIGNED = /(?!\p{Noncharacter_Code_Point})\p{Unassigned}/u;

/** A format that is none fits nothing: `registerProblems` refuses it. */
const fits = (format: string, value: string): boolean => {
  try {
    return new RegExp(`^(?:${format})$`, 'u').test(value);
  } catch {
    return false;
  }
};

const textProblem = (rule: IdentifierRule, value: string): string | null => {
  if (NOT_TEXT.test(value)) return 'holds NUL or half a surrogate pair';
  return rule.kind === 'key' && UNASSIGNED.test(value) ? 'holds a character that Unicode has not assigned' : null;
};

const valueProblem = (rule: IdentifierRule, value: string): Omit<IdentifierProblem, 'name'> | null => {
  if (value.length > IDENTIFIER_UNITS_MAX) return { problem: 'too-long', reason: `longer than ${IDENTIFIER_UNITS_MAX} UTF-16 units` };
  const noText = textProblem(rule, value);
  if (noText !== null) return { problem: 'not-text', reason: noText };
  if (rule.format !== undefined && !fits(rule.format, value)) return { problem: 'bad-format', reason: `must be ${rule.format}` };
  if (!isReadable(rule.normalise, value)) return { problem: 'unreadable', reason: 'cannot be read as what the register compares' };
  const form = normalForm(rule.normalise, value);
  if (form === '') return { problem: 'empty', reason: 'empty after normalisation' };
  if (withoutInvisible(form) !== form) return { problem: 'invisible', reason: 'holds a character that cannot be seen' };
  return null;
};

/** What is given is a value of its identifier; names, and what is left out, are another matter. */
export const isSound = (register: Register, { name, value }: Named): boolean => {
  const rule = Object.hasOwn(register.identifiers, name) ? register.identifiers[name] : undefined;
  return rule === undefined || value === '' || valueProblem(rule, value) === null;
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
