/** How two layers that both state a field are merged: of two claims the weaker stands, whoever says it; wiring is replaced. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
export type JsonObject = { readonly [name: string]: Json };

export interface MergeProblem {
  /** JSON Pointer below the source. */
  readonly path: string;
  readonly reason: string;
}

export interface MergeContext {
  readonly path: string;
  readonly problems: MergeProblem[];
}

/** `upper` is the later layer. A value of a wrong type is replaced, so that the schema finds it in the outcome. */
export type MergeRule = (lower: Json, upper: Json, context: MergeContext) => Json;

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Sorted, so that the order of members does not matter. */
export const canonical = (value: Json): string =>
  JSON.stringify(value, (_name, each: Json) =>
    isObject(each) ? Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1))) : each,
  );

export const replaced: MergeRule = (_lower, upper) => upper;

/** The names from weakest to strongest. */
export const weakest =
  (...names: readonly Json[]): MergeRule =>
  (lower, upper) => {
    if (!names.includes(lower) || !names.includes(upper)) return upper;
    return names.indexOf(lower) < names.indexOf(upper) ? lower : upper;
  };

const numbers =
  (choose: (lower: number, upper: number) => number): MergeRule =>
  (lower, upper) =>
    typeof lower === 'number' && typeof upper === 'number' ? choose(lower, upper) : upper;

export const least = numbers(Math.min);
export const greatest = numbers(Math.max);

/** Null is no bound at all. */
export const greatestOrNull: MergeRule = (lower, upper, context) => (lower === null ? null : greatest(lower, upper, context));

/** True where any layer says so. */
export const either: MergeRule = (lower, upper) => (typeof lower === 'boolean' && typeof upper === 'boolean' ? lower || upper : upper);

/** Every entry of both must hold; an identical one stands once. The later layer's come first. */
export const union: MergeRule = (lower, upper) => {
  if (!Array.isArray(lower) || !Array.isArray(upper)) return upper;
  const known = new Set((upper as readonly Json[]).map(canonical));
  return [...(upper as readonly Json[]), ...(lower as readonly Json[]).filter((entry) => !known.has(canonical(entry)))];
};

/** Only what both say. */
export const intersection: MergeRule = (lower, upper) => {
  if (!Array.isArray(lower) || !Array.isArray(upper)) return upper;
  const known = new Set((lower as readonly Json[]).map(canonical));
  return (upper as readonly Json[]).filter((entry) => known.has(canonical(entry)));
};

/** The earlier end of two attestations. */
export const attestationRule: MergeRule = (lower, upper) => {
  if (!isObject(lower) || !isObject(upper)) return upper;
  return String(lower['until']) < String(upper['until']) ? lower : upper;
};

const merged = (lower: Json, upper: Json, ruleOf: (name: string) => MergeRule, context: MergeContext): Json => {
  if (!isObject(lower) || !isObject(upper)) return upper;
  const outcome: Record<string, Json> = { ...lower };
  for (const [name, value] of Object.entries(upper)) {
    const below = Object.hasOwn(lower, name) ? lower[name] : undefined;
    const within = { ...context, path: `${context.path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}` };
    // A name such as __proto__ is data here, and must not be set by assignment.
    const next = below === undefined ? value : ruleOf(name)(below, value, within);
    Object.defineProperty(outcome, name, { value: next, enumerable: true, configurable: true, writable: true });
  }
  return outcome;
};

/** Entries by name. */
export const mapOf =
  (rule: MergeRule): MergeRule =>
  (lower, upper, context) =>
    merged(lower, upper, () => rule, context);

export type MergeTable = Readonly<Record<string, MergeRule>>;

/** Members by the table. One that it does not list is replaced: the schema will not know it either. */
export const objectOf =
  (table: MergeTable): MergeRule =>
  (lower, upper, context) =>
    merged(lower, upper, (name) => (Object.hasOwn(table, name) ? (table[name] ?? replaced) : replaced), context);
