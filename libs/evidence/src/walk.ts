/**
 * The walk over one source as a pure state machine. walk.SPEC.md has a row for every cell of phase x observation class; `walkTable` has
 * one too, or this file does not compile.
 * 1. Only `end-signalled` is an end, and only where the source signalled it.
 * 2. A doubt that was seen is never forgotten.
 * 3. Nothing of one pass is joined to the other: they meet only where their digests are compared.
 */
import { reasonOf, type ReasonCode } from './catalogue.js';
import { endDoubts } from './drift.js';
import type { Effect, Observation } from './observation.js';
import { budgetStop, classify, type Classified, type ObservationClass, type WalkLimits } from './walk-class.js';
import { emptyPass, withCursor, withPage, type Pass } from './walk-pass.js';

export type Phase = 'first-pass' | 'second-pass' | 'ended';

interface Read {
  /** Counts over both passes. */
  readonly pages: number;
  readonly records: number;
  readonly bytes: number;
  readonly elapsedMs: number;
  readonly doubts: readonly ReasonCode[];
  readonly pass: Pass;
}

export type WalkState =
  | (Read & { readonly phase: 'first-pass'; readonly before: null })
  | (Read & { readonly phase: 'second-pass'; readonly before: Pass })
  | { readonly phase: 'ended'; readonly stop: ReasonCode; readonly doubts: readonly ReasonCode[] };

export interface WalkStep {
  readonly state: WalkState;
  readonly effect: Effect;
}

export type Move = 'request-next' | 'end-or-second-pass' | 'end-compared' | 'stop' | 'stay-ended';

const unlessEnded = <M extends Move>(signalled: M) =>
  ({
    failure: 'stop',
    stopped: 'stop',
    'boundary-changed': 'stop',
    duplicated: 'stop',
    unclear: 'stop',
    signalled,
    matched: 'stop',
    'cursor-missing': 'stop',
    'cursor-repeated': 'stop',
    idle: 'stop',
    'over-budget': 'stop',
    continues: 'request-next',
  }) as const;

export const walkTable: { readonly [P in Phase]: { readonly [C in ObservationClass]: Move } } = {
  'first-pass': unlessEnded('end-or-second-pass'),
  'second-pass': unlessEnded('end-compared'),
  ended: {
    failure: 'stay-ended',
    stopped: 'stay-ended',
    'boundary-changed': 'stay-ended',
    duplicated: 'stay-ended',
    unclear: 'stay-ended',
    signalled: 'stay-ended',
    matched: 'stay-ended',
    'cursor-missing': 'stay-ended',
    'cursor-repeated': 'stay-ended',
    idle: 'stay-ended',
    'over-budget': 'stay-ended',
    continues: 'stay-ended',
  },
};

type ReadingState = Exclude<WalkState, { phase: 'ended' }>;

const firstRequest = (pass: 1 | 2): Effect => ({ type: 'request', cursor: null, pass });

export const startWalk = (): WalkStep => ({
  state: { phase: 'first-pass', pages: 0, records: 0, bytes: 0, elapsedMs: 0, doubts: [], pass: emptyPass, before: null },
  effect: firstRequest(1),
});

const ended = (stop: ReasonCode, doubts: readonly ReasonCode[]): WalkStep => ({
  state: { phase: 'ended', stop, doubts },
  effect: { type: 'end', stop, doubts },
});

const withDoubts = (doubts: readonly ReasonCode[], more: readonly string[]): readonly ReasonCode[] => [
  ...new Set([...doubts, ...more.map((doubt) => reasonOf(doubt).code)]),
];

const afterObservation = (state: ReadingState, observation: Observation): ReadingState => {
  const elapsedMs = state.elapsedMs + observation.elapsedMs;
  if (observation.type !== 'page') return { ...state, elapsedMs };
  const flags = observation.reasons.filter((reason) => reasonOf(reason).kind !== 'stop');
  return {
    ...state,
    elapsedMs,
    pages: state.pages + 1,
    records: state.records + observation.records,
    bytes: state.bytes + observation.bytes,
    doubts: withDoubts(state.doubts, flags),
    pass: withPage(state.pass, observation),
  };
};

const end = (state: ReadingState, limits: WalkLimits): WalkStep =>
  ended('end-signalled', withDoubts(state.doubts, endDoubts(limits.drift, state.pass, state.before)));

/** A second pass is read only where it can prove something, and where the budget still allows a page: a match needs no proof. */
const endOrSecondPass = (state: ReadingState, matched: boolean, limits: WalkLimits): WalkStep => {
  const wanted = limits.drift === 'second-pass' && state.pass.pages > 1 && budgetStop(state, limits) === null;
  if (!wanted) return end(state, limits);
  if (matched && limits.kind === 'exists') return ended('match-found', state.doubts);
  return { state: { ...state, phase: 'second-pass', before: state.pass, pass: emptyPass }, effect: firstRequest(2) };
};

const requestNext = (state: ReadingState, cursor: string): WalkStep => ({
  state: { ...state, pass: withCursor(state.pass, cursor) },
  effect: { type: 'request', cursor, pass: state.phase === 'first-pass' ? 1 : 2 },
});

const move = (state: ReadingState, found: Classified, observation: Observation, limits: WalkLimits): WalkStep => {
  const next = afterObservation(state, observation);
  const cursor = observation.type === 'page' ? observation.nextCursor : null;
  switch (walkTable[state.phase][found.class]) {
    case 'end-or-second-pass':
      return endOrSecondPass(next, observation.type === 'page' && observation.matched, limits);
    case 'end-compared':
      return end(next, limits);
    case 'request-next':
      return cursor === null ? ended('metadata-missing', next.doubts) : requestNext(next, cursor);
    default:
      return ended(found.stop, next.doubts);
  }
};

export const step = (state: WalkState, observation: Observation, limits: WalkLimits): WalkStep =>
  state.phase === 'ended' ? ended(state.stop, state.doubts) : move(state, classify(observation, state, limits), observation, limits);
