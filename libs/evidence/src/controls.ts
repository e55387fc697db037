/**
 * Controls: records known to exist, looked for by the same path with the same credential, to show that the method can find anything. They are
 * checked beside the questions, and a result is trusted for `ageMaxMs`.
 */
import type { ReasonCode } from './catalogue.js';
import { checkIdentifiers } from './check-identifiers.js';
import type { StartedFacts } from './facts.js';
import { parseInstant } from './instant.js';
import type { ControlRecord, Register } from './register.js';

/** Together they fit in one `search.started`. */
const CONTROLS_MAX = 64;
const CONTROLS_OF_SOURCE_MIN = 2;
/** Where results are given of controls that no register declares. */
const AGE_MS_MAX = 86_400_000;

export const controlsOf = ({ controls }: Pick<Register, 'controls'>, source: string): readonly ControlRecord[] =>
  (controls?.records ?? []).filter((record) => record.source === source);

type Result = StartedFacts['controls'][number];

const isRecent = ({ checkedAt }: Result, { controls, clockSkewMaxMs }: Register, decidedAtMs: number | null): boolean => {
  const checkedAtMs = parseInstant(checkedAt);
  if (checkedAtMs === null || decidedAtMs === null) return false;
  return checkedAtMs >= decidedAtMs - (controls?.ageMaxMs ?? AGE_MS_MAX) && checkedAtMs <= decidedAtMs + clockSkewMaxMs;
};

/** Every declared control of the source has a result, none was missed, and all were found lately. */
export const controlDoubts = (
  register: Register,
  source: string,
  results: readonly Result[],
  decidedAtMs: number | null,
): readonly ReasonCode[] => {
  const doubts: ReasonCode[] = [];
  if (results.some(({ result }) => result === 'missed')) doubts.push('control-missed');
  const unknown = results.length < controlsOf(register, source).length;
  const stale = results.some((each) => each.result !== 'missed' && (each.result !== 'found' || !isRecent(each, register, decidedAtMs)));
  if (unknown || stale) doubts.push('control-stale');
  return doubts;
};

interface ControlProblem {
  readonly path: string;
  readonly reason: string;
}

const recordProblems = (register: Register, record: ControlRecord, at: number): readonly ControlProblem[] => {
  const path = `controls.records.${at}`;
  const source = register.sources.find(({ name }) => name === record.source);
  const asked = Object.entries(record.identifiers).map(([name, value]) => ({ name, value }));
  return [
    ...(source === undefined || source.role === 'lookup'
      ? [{ path: `${path}.source`, reason: `${record.source} is no source of this register that is searched` }]
      : []),
    ...checkIdentifiers(register, asked).map(({ name, reason }) => ({ path: `${path}.identifiers`, reason: `${name}: ${reason}` })),
  ];
};

export const controlProblems = (register: Register): readonly ControlProblem[] => {
  const records = register.controls?.records ?? [];
  const named = [...new Set(records.map(({ source }) => source))];
  return [
    ...(records.length > CONTROLS_MAX ? [{ path: 'controls.records', reason: `at most ${CONTROLS_MAX} of all sources together` }] : []),
    ...records.flatMap((record, at) => recordProblems(register, record, at)),
    ...named.flatMap((source) => {
      const ids = controlsOf(register, source).map(({ recordId }) => recordId);
      if (new Set(ids).size >= CONTROLS_OF_SOURCE_MIN && new Set(ids).size === ids.length) return [];
      return [
        { path: 'controls.records', reason: `${source} needs ${CONTROLS_OF_SOURCE_MIN} different controls: one alone may go any day` },
      ];
    }),
  ];
};
