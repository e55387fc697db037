/** Up to which moment a source was seen, and how long to wait so that it will be late enough. */
import type { Register, SourceRule } from './register.js';

/** By how much a source can be behind the truth: its greatest lag and the newest part that it leaves out; null: no bound is known. */
export const behindMsMax = ({ lagMaxMs, recentExcludedMs }: Pick<SourceRule, 'lagMaxMs' | 'recentExcludedMs'>): number | null =>
  lagMaxMs === null ? null : lagMaxMs + recentExcludedMs;

/** Start of the first request − greatest lag − clock skew; null when the lag has no bound (`replica-lag-unknown`). */
export const boundaryOf = (startedAtMs: number | null, lagMaxMs: number | null, clockSkewMaxMs: number): number | null =>
  startedAtMs === null || lagMaxMs === null ? null : startedAtMs - lagMaxMs - clockSkewMaxMs;

/** `asOf`: the oldest boundary; null when one of them is not known, or there is none. */
export const oldestOf = (boundariesMs: readonly (number | null)[]): number | null =>
  boundariesMs.reduce<number | null | undefined>(
    (oldest, next) => (oldest === undefined ? next : oldest === null || next === null ? null : Math.min(oldest, next)),
    undefined,
  ) ?? null;

/** Freshness at a write is now − asOf. */
export const isFresh = (asOfMs: number | null, freshnessMs: number, nowMs: number): boolean =>
  asOfMs !== null && nowMs - asOfMs <= freshnessMs;

export interface WaitInput {
  readonly source: SourceRule;
  readonly register: Register;
  readonly needsAsOfMs: number;
  /** End of the reading before it in reading order (deciding sources only); null for the first. */
  readonly previousEndedAtMs: number | null;
  readonly nowMs: number;
}

/**
 * How long to wait before the first request to this source, so that its boundary reaches `needsAsOf` and, where records move one way, the
 * end of the reading before it. Null: no wait helps, since its lag has no bound.
 */
export const waitMs = ({ source, register, needsAsOfMs, previousEndedAtMs, nowMs }: WaitInput): number | null => {
  const behindMs = behindMsMax(source);
  if (behindMs === null) return null;
  const moves = register.moves.kind !== 'none' && previousEndedAtMs !== null ? previousEndedAtMs : needsAsOfMs;
  const boundaryNeeded = Math.max(needsAsOfMs, moves);
  return Math.max(0, boundaryNeeded + behindMs + register.clockSkewMaxMs - nowMs);
};
