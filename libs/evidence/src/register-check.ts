/** Why a register is refused when it is loaded. A register that could never support a no-match only produces holds. */
import { behindMsMax } from './boundary.js';
import { controlProblems } from './controls.js';
import { parseInstant } from './instant.js';
import { bothWaysMsMin, readAgain } from './moves.js';
import { OWN_WRITES } from './own-writes.js';
import { lookupRules } from './lookup.js';
import { isZone } from './normal-form/date.js';
import { isCountryCode } from './normal-form/phone.js';
import { normaliserName } from './normaliser-text.js';
import type { IdentifierRule, Normaliser, Register, SourceRule } from './register.js';
import { sourceObstacles } from './source-obstacles.js';

export interface RegisterProblem {
  /** Where in the register, such as `sources.crm.drift`. */
  readonly path: string;
  readonly reason: string;
  /** `never-supports`: well formed, but no answer could make it support a no-match. */
  readonly kind: 'invalid' | 'never-supports';
}

const problem = (path: string, reason: string): RegisterProblem => ({ path, reason, kind: 'invalid' });
const when = (condition: boolean, path: string, reason: string): readonly RegisterProblem[] => (condition ? [problem(path, reason)] : []);

const neverSupports = (each: RegisterProblem): RegisterProblem => ({ ...each, kind: 'never-supports' });

const repeated = (names: readonly string[]): readonly string[] => names.filter((name, at) => names.indexOf(name) !== at);

const compiles = (format: string): boolean => {
  try {
    return new RegExp(`^(?:${format})$`, 'u') instanceof RegExp;
  } catch {
    return false;
  }
};

/** They make different values equal that no register can mean to be the same. What `digits-only` loses, a register may not care about. */
const NEAR_ONLY: readonly string[] = ['confusables', 'email-base'];

const parameterProblem = (normaliser: Normaliser): string | null => {
  if (typeof normaliser === 'string') return null;
  if ('phone' in normaliser)
    return isCountryCode(normaliser.phone.countryCode) ? null : 'a country code is one to three digits, such as 49';
  return isZone(normaliser.date.zone) ? null : `${normaliser.date.zone} is no time zone that is known here`;
};

const normaliserProblems = (path: string, { normalise, near = [] }: IdentifierRule): readonly RegisterProblem[] => [
  ...normalise
    .map(normaliserName)
    .filter((name) => NEAR_ONLY.includes(name))
    .map((name) => problem(`${path}.normalise`, `${name} makes different values equal: only near may have it, for a person to decide`)),
  ...(['normalise', 'near'] as const).flatMap((field) =>
    (field === 'near' ? near : normalise)
      .map(parameterProblem)
      .filter((reason) => reason !== null)
      .map((reason) => problem(`${path}.${field}`, reason)),
  ),
];

const lookupProblems = (register: Register, name: string, { lookup, optional }: IdentifierRule): readonly RegisterProblem[] => {
  if (lookup === undefined) return [];
  const path = `identifiers.${name}.lookup`;
  const source = register.sources.find((each) => each.name === lookup);
  return [
    ...when(source?.role !== 'lookup', path, `${lookup} is not a source of role lookup of this register`),
    ...when(optional === true, path, 'an identifier that a question may leave out cannot be looked up'),
  ];
};

const identifierProblems = (register: Register, name: string, rule: IdentifierRule): readonly RegisterProblem[] => {
  const path = `identifiers.${name}`;
  const isKey = rule.kind === 'key';
  return [
    ...when(isKey && rule.optional === true, `${path}.optional`, 'a key that is left out cannot be compared'),
    ...when(
      !isKey && rule.whenMissing !== undefined,
      `${path}.whenMissing`,
      'only a key decides, so only a key can differ when it is missing',
    ),
    ...when(rule.format !== undefined && !compiles(rule.format), `${path}.format`, 'not a regular expression (u flag)'),
    ...normaliserProblems(path, rule),
    ...lookupProblems(register, name, rule),
  ];
};

const decidingProblems = (register: Register, source: SourceRule): readonly RegisterProblem[] =>
  sourceObstacles(register, source).map(({ field, reason }) => ({
    path: `sources.${source.name}.${field}`,
    reason: `${reason}, so this source could never support a no-match; make it a candidates source or change it`,
    kind: 'never-supports',
  }));

const copyProblems = (register: Register, source: SourceRule): readonly RegisterProblem[] => {
  if (source.copyOf === undefined) return [];
  const path = `sources.${source.name}.copyOf`;
  const original = register.sources.find((each) => each.name === source.copyOf);
  return [
    ...when(source.authority !== 'copy', path, 'only a copy is a copy of another source'),
    ...when(original?.authority !== 'original', path, `${source.copyOf} is not an original source of this register`),
  ];
};

const sourceProblems = (register: Register, source: SourceRule): readonly RegisterProblem[] => {
  const path = `sources.${source.name}`;
  const unknown = source.optionalFields.filter((field) => !Object.hasOwn(register.identifiers, field));
  const attestation = source.attestation;
  return [
    ...when(source.name === OWN_WRITES, path, `${OWN_WRITES} is the implicit source of every register with a target`),
    ...when(source.lagMaxMs !== null && !(source.lagMaxMs >= 0), `${path}.lagMaxMs`, 'a lag is not negative'),
    ...source.hazards
      .filter((hazard) => hazard.attestation !== null && parseInstant(hazard.attestation.until) === null)
      .map(({ name }) => problem(`${path}.hazards`, `the attestation against ${name} has no moment in UTC`)),
    ...when(!(source.recentExcludedMs >= 0), `${path}.recentExcludedMs`, 'a part left out is not negative'),
    ...when(attestation !== undefined && parseInstant(attestation.until) === null, `${path}.attestation.until`, 'not a moment in UTC'),
    ...copyProblems(register, source),
    ...when(
      source.role === 'lookup' && Object.keys(lookupRules(register, source.name)).length === 0,
      `${path}.role`,
      'no identifier names it as its lookup',
    ),
    ...unknown.map((field) => problem(`${path}.optionalFields`, `${field} is not an identifier of this register`)),
    ...(source.role === 'deciding' ? decidingProblems(register, source) : []),
  ];
};

const gapProblems = (register: Register): readonly RegisterProblem[] =>
  (register.knownGaps ?? []).flatMap(({ source, from, to }, at) => {
    const [fromMs, toMs] = [parseInstant(from), to === null ? Infinity : parseInstant(to)];
    return [
      ...when(
        !register.sources.some(({ name }) => name === source),
        `knownGaps.${at}.source`,
        `${source} is not a source of this register`,
      ),
      ...when(fromMs === null, `knownGaps.${at}.from`, 'not a moment in UTC'),
      ...when(toMs === null || (fromMs !== null && toMs < fromMs), `knownGaps.${at}.to`, 'not a moment in UTC after its beginning'),
    ];
  });

const acceptedProblems = (register: Register): readonly RegisterProblem[] =>
  register.acceptedDoubts.flatMap((accepted, at) => {
    const path = `acceptedDoubts.${at}`;
    const source = register.sources.find((each) => each.name === accepted.source);
    return [
      ...when(source?.role !== 'deciding', `${path}.source`, `${accepted.source} is not a deciding source of this register`),
      ...when(accepted.doubt !== 'drift-possible', `${path}.doubt`, 'only drift-possible can be accepted'),
      ...when(parseInstant(accepted.until) === null, `${path}.until`, 'not a moment in UTC'),
    ];
  });

const timeProblems = (register: Register): readonly RegisterProblem[] => {
  const { clockSkewMaxMs, toleranceMs, freshnessMs } = register;
  const lags = register.sources.filter((source) => source.role === 'deciding').map((source) => behindMsMax(source) ?? 0);
  const oldest = Math.max(0, ...lags) + clockSkewMaxMs;
  return [
    ...when(!(clockSkewMaxMs >= 0), 'clockSkewMaxMs', 'a skew is not negative'),
    ...when(!(toleranceMs >= clockSkewMaxMs), 'toleranceMs', `must be at least clockSkewMaxMs (${clockSkewMaxMs})`),
    ...when(
      !(freshnessMs > oldest),
      'freshnessMs',
      `must be above the greatest lag + clockSkewMaxMs (${oldest}), or every no-match is stale`,
    ),
  ];
};

const BUDGETS = ['pagesMax', 'recordsMax', 'bytesMax', 'elapsedMsMax'] as const;

const boundProblems = (register: Register): readonly RegisterProblem[] => [
  ...BUDGETS.flatMap((name) => when(!(register.budget[name] >= 1), `budget.${name}`, 'must be at least 1')),
  ...when(!(register.attempts.attemptsMax >= 1), 'attempts.attemptsMax', 'must be at least 1'),
  ...when(!(register.holds.autoReruns >= 0), 'holds.autoReruns', 'must not be negative'),
];

const bothWaysProblems = (register: Register): readonly RegisterProblem[] => {
  if (readAgain(register).length === 0) return [];
  const path = 'moves.leastBetweenMovesMs';
  const least = register.moves.leastBetweenMovesMs;
  const takes = bothWaysMsMin(register);
  if (least === undefined)
    return [neverSupports(problem(path, 'both ways: without the least time between two moves of a record no reading shows it'))];
  return when(takes !== null && least <= takes, path, `must be above ${takes}: the waits for the lags alone take that long`).map(
    neverSupports,
  );
};

const wholeProblems = (register: Register): readonly RegisterProblem[] => {
  const rules = Object.values(register.identifiers);
  const deciding = register.sources.filter((source) => source.role === 'deciding');
  const both = register.status.follow.filter((status) => register.status.reusable.includes(status));
  return [
    ...when(!rules.some((rule) => rule.kind === 'key'), 'identifiers', 'no key: nothing could ever match'),
    ...when(deciding.length === 0, 'sources', 'no deciding source: candidates alone could never support a no-match').map(neverSupports),
    ...repeated(register.sources.map((source) => source.name)).map((name) => problem('sources', `${name} is declared twice`)),
    ...both.map((status) => problem('status', `${status} is both reusable and followed`)),
    ...bothWaysProblems(register),
    ...when(register.policy === 'auto' && register.acceptedDoubts.length > 0, 'policy', 'auto is refused where a doubt is accepted'),
  ];
};

export const registerProblems = (register: Register): readonly RegisterProblem[] => [
  ...wholeProblems(register),
  ...Object.entries(register.identifiers).flatMap(([name, rule]) => identifierProblems(register, name, rule)),
  ...register.sources.flatMap((source) => sourceProblems(register, source)),
  ...acceptedProblems(register),
  ...timeProblems(register),
  ...boundProblems(register),
  ...gapProblems(register),
  ...controlProblems(register).map(({ path, reason }) => problem(path, reason)),
];
