import type { FieldProblem } from './field-problem.js';

/** Text that could not be stored or hashed as it was sent, found before anything is written. */
const DEPTH_MAX = 32;
/** Names that parsers and transformers take for their own. */
const FORBIDDEN_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor']);

/**
 * The first string or member name with a NUL or a lone surrogate (PostgreSQL and UTF-8 have neither), the first member named `__proto__`
 * or `constructor` (parsers disagree on them, so two services could see two payloads), a number that JSON cannot hold, or the first value nested too deeply; null when there is none.
 */
export function forbiddenTextIn(value: unknown, pointer = '', depth = 0): FieldProblem | null {
  if (depth > DEPTH_MAX) return { pointer, detail: `is nested deeper than ${DEPTH_MAX} levels` };
  if (typeof value === 'string') return problemOf(value, pointer);
  if (typeof value === 'number') return numberProblem(value, pointer);
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, member] of Object.entries(value)) {
    const at = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const found = forbiddenNameIn(name, pointer) ?? forbiddenTextIn(member, at, depth + 1);
    if (found) return found;
  }
  return null;
}

function forbiddenNameIn(name: string, pointer: string): FieldProblem | null {
  return FORBIDDEN_NAMES.has(name) ? { pointer, detail: `has a member named ${name}` } : problemOf(name, pointer);
}

function problemOf(text: string, pointer: string): FieldProblem | null {
  if (text.includes('\u0000')) return { pointer, detail: 'contains the character U+0000' };
  return /\p{Surrogate}/u.test(text) ? { pointer, detail: 'contains half of a surrogate pair' } : null;
}

function numberProblem(value: number, pointer: string): FieldProblem | null {
  if (!Number.isFinite(value)) return { pointer, detail: 'is a number that is too large; send it as text' };
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return null;
  return { pointer, detail: 'is an integer beyond 2^53 - 1; send it as text' };
}
