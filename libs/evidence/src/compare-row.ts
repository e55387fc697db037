/** Comparing one record with what was asked, and what the comparison says of the record. */
import type { AskedIdentifier, Comparison } from './facts.js';
import { withoutInvisible } from './normal-form/invisible.js';
import { mayBeEqual, normalForm, reading } from './normalise.js';
import type { SourceRow } from './observation.js';
import type { IdentifierRule } from './register.js';

export type IdentifierRules = Readonly<Record<string, IdentifierRule>>;
export type Results = Readonly<Record<string, Comparison>>;

/** `other`: neither a match nor a doubt, such as one of an account's 500 other requests. */
export type RowOutcome = 'match' | 'ambiguous' | 'other';

export interface RowComparison {
  readonly results: Results;
  readonly outcome: RowOutcome;
  /** The row holds no key at all: it is counted and decides nothing. */
  readonly withoutKey: boolean;
  /** Keys whose path is absent although nothing declares it optional: each raises `field-unavailable`. */
  readonly fieldUnavailable: readonly string[];
}

const COMPARISONS: readonly string[] = ['agree', 'near', 'differ', 'missing', 'unavailable'] satisfies Comparison[];

export const keysOf = (rules: IdentifierRules): readonly string[] => Object.keys(rules).filter((name) => rules[name]?.kind === 'key');

const own = <V>(record: Readonly<Record<string, V>>, name: string): V | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;

interface Wanted {
  readonly asked: string;
  readonly form: string;
  readonly visible: string;
  readonly lossy: string;
}

/** Of the value that was asked last: every row of a search is compared with the same one. */
const lastWanted = new WeakMap<IdentifierRule, Wanted>();

const wantedOf = (rule: IdentifierRule, asked: string): Wanted => {
  const last = lastWanted.get(rule);
  if (last?.asked === asked) return last;
  const form = normalForm(rule.normalise, asked);
  const wanted = { asked, form, visible: withoutInvisible(form), lossy: normalForm(rule.near ?? [], form) };
  lastWanted.set(rule, wanted);
  return wanted;
};

const compareValue = (rule: IdentifierRule, asked: string, found: string | null | undefined, optional: boolean): Comparison => {
  if (found === undefined) return optional ? 'missing' : 'unavailable';
  if (found === null) return 'missing';
  const { form, isReadable } = reading(rule.normalise, found);
  if (form === '') return 'missing';
  const wanted = wantedOf(rule, asked);
  if (form === wanted.form) return 'agree';
  if (isNear(rule, wanted, form)) return 'near';
  if (isReadable) return 'differ';
  // What stands there and cannot be read holds for as long as it may be what was asked; else the field holds no such value.
  return mayBeEqual(rule.normalise, asked, found) ? 'near' : 'missing';
};

/** Of a normal form. What cannot be seen makes no value another one, whatever the register says of it. */
const isNear = ({ near = [] }: IdentifierRule, wanted: Wanted, form: string): boolean => {
  if (withoutInvisible(form) === wanted.visible) return true;
  return near.length > 0 && wanted.lossy !== '' && normalForm(near, form) === wanted.lossy;
};

/** What a logged result of a key says. `missing` differs where the register says so; anything that is no comparison is `unknown`. */
const keyResult = (results: Results, rules: IdentifierRules, name: string): Comparison | 'unknown' => {
  const result = own(results, name);
  if (result === undefined || !COMPARISONS.includes(result)) return 'unknown';
  return result === 'missing' && rules[name]?.whenMissing ? 'differ' : result;
};

/** The same rule for a fresh row and for a logged one. Scopes and hints have no say. */
export const outcomeOf = (results: Results, rules: IdentifierRules): RowOutcome => {
  const keys = keysOf(rules).map((name) => keyResult(results, rules, name));
  if (keys.includes('differ')) return 'other';
  if (keys.length === 0 || keys.includes('unknown')) return 'ambiguous';
  if (keys.every((result) => result === 'agree')) return 'match';
  return keys.some((result) => result === 'agree' || result === 'near') ? 'ambiguous' : 'other';
};

export const compareRow = (
  rules: IdentifierRules,
  asked: readonly AskedIdentifier[],
  row: SourceRow,
  optionalFields: readonly string[],
): RowComparison => {
  const compared = asked.flatMap(({ name, value }) => {
    const rule = own(rules, name);
    return rule ? [[name, compareValue(rule, value, own(row.values, name), optionalFields.includes(name))] as const] : [];
  });
  const results: Results = Object.fromEntries(compared);
  const keys = keysOf(rules);
  const empty = (name: string): boolean => results[name] === 'missing' || results[name] === 'unavailable';
  return {
    results,
    outcome: outcomeOf(results, rules),
    withoutKey: keys.length > 0 && keys.every(empty),
    fieldUnavailable: keys.filter((name) => results[name] === 'unavailable'),
  };
};
