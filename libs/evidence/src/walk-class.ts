/** Into which of the walk's observation classes a response falls: the first that holds, in the order of `ObservationClass`. */
import { reasonOf, type ReasonCode } from './catalogue.js';
import type { StartedFacts } from './facts.js';
import type { Observation, PageObservation } from './observation.js';
import type { Budget, DriftProof, Register, SourceRule } from './register.js';
import { isIdle, type Pass } from './walk-pass.js';

export interface WalkLimits extends Budget {
  /** Pages in a row that may bring no new record. */
  readonly idlePagesMax: number;
  readonly drift: DriftProof;
  readonly kind: StartedFacts['kind'];
}

/** Empty pages are legal in many sources, so the bound is wide; the budget bounds it too. */
export const IDLE_PAGES_MAX = 1_000;

export const walkLimits = (register: Pick<Register, 'budget'>, source: SourceRule, kind: StartedFacts['kind']): WalkLimits => ({
  ...register.budget,
  idlePagesMax: IDLE_PAGES_MAX,
  drift: source.drift,
  kind,
});

export type ObservationClass =
  | 'failure'
  | 'stopped'
  | 'boundary-changed'
  | 'duplicated'
  | 'unclear'
  | 'signalled'
  | 'matched'
  | 'cursor-missing'
  | 'cursor-repeated'
  | 'idle'
  | 'over-budget'
  | 'continues';

export interface Classified {
  readonly class: ObservationClass;
  /** Why the walk stops, where this class stops it. */
  readonly stop: ReasonCode;
}

/** What the walk has read before this page. */
export interface ReadSoFar {
  readonly pages: number;
  readonly records: number;
  readonly bytes: number;
  readonly elapsedMs: number;
  readonly pass: Pass;
}

/** No connector may declare an end or a match through a reason: that is an answer which cannot be read (V1). */
const stopOf = (reason: string): ReasonCode => {
  const { code } = reasonOf(reason);
  return code === 'end-signalled' || code === 'match-found' ? 'response-invalid' : code;
};

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

const isReadable = (page: PageObservation): boolean =>
  isCount(page.records) && isCount(page.bytes) && isCount(page.repeatedIds) && page.repeatedIds <= page.records && page.elapsedMs >= 0;

const statedStop = (page: PageObservation): ReasonCode | null => {
  if (!isReadable(page)) return 'response-invalid';
  const stop = page.reasons.find((reason) => reasonOf(reason).kind === 'stop');
  return stop === undefined ? null : stopOf(stop);
};

/** Null: within all budgets. They bound what is asked for next, so an end that fits in the last page allowed is an end. */
export const budgetStop = (read: Omit<ReadSoFar, 'pass'>, limits: WalkLimits): ReasonCode | null => {
  if (!(read.elapsedMs < limits.elapsedMsMax)) return 'budget-time';
  if (!(read.pages < limits.pagesMax)) return 'budget-pages';
  if (!(read.records < limits.recordsMax)) return 'budget-records';
  return read.bytes < limits.bytesMax ? null : 'budget-bytes';
};

const classifyEnd = (page: PageObservation): Classified | null => {
  if (page.end === 'signalled') return { class: 'signalled', stop: 'end-signalled' };
  return page.end === 'continues' ? null : { class: 'unclear', stop: 'end-signals-conflict' };
};

const classifyContinuation = (page: PageObservation, read: ReadSoFar, limits: WalkLimits): Classified => {
  if (page.matched && limits.kind === 'exists') return { class: 'matched', stop: 'match-found' };
  if (page.nextCursor === null) return { class: 'cursor-missing', stop: 'metadata-missing' };
  if (read.pass.cursors.includes(page.nextCursor)) return { class: 'cursor-repeated', stop: 'cursor-repeated' };
  if (isIdle(page) && read.pass.idlePages + 1 > limits.idlePagesMax) return { class: 'idle', stop: 'no-progress' };
  const after = {
    pages: read.pages + 1,
    records: read.records + page.records,
    bytes: read.bytes + page.bytes,
    elapsedMs: read.elapsedMs + page.elapsedMs,
  };
  const over = budgetStop(after, limits);
  return over === null ? { class: 'continues', stop: 'unlisted-reason' } : { class: 'over-budget', stop: over };
};

export const classify = (observation: Observation, read: ReadSoFar, limits: WalkLimits): Classified => {
  if (observation.type !== 'page') return { class: 'failure', stop: stopOf(observation.reason) };
  const stated = statedStop(observation);
  if (stated !== null) return { class: 'stopped', stop: stated };
  const { pass } = read;
  if (limits.drift === 'snapshot' && pass.pages > 0 && observation.snapshot !== pass.snapshot) {
    return { class: 'boundary-changed', stop: 'boundary-changed' };
  }
  if (pass.digests.includes(observation.idsDigest)) return { class: 'duplicated', stop: 'page-duplicated' };
  return classifyEnd(observation) ?? classifyContinuation(observation, read, limits);
};
