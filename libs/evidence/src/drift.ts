/** Which doubts a signalled end leaves, by the source's drift rule and by what the passes saw. */
import type { ReasonCode } from './catalogue.js';
import type { DriftProof } from './register.js';
import type { Pass } from './walk-pass.js';

export const sameDigests = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((digest, at) => digest === other[at]);

/**
 * A claim is checked where it can be: `single-response` by the number of pages, `snapshot` by an id on each, `second-pass` by digests. Of
 * `overlap` the connector compares the records that two pages share, and says `drift-possible` where they differ.
 */
export const driftExcluded = (drift: DriftProof, last: Pass, first: Pass | null): boolean => {
  if (first !== null) return drift === 'second-pass' && sameDigests(first.digests, last.digests);
  if (last.pages === 1) return true;
  return drift === 'keyset' || drift === 'documented' || drift === 'overlap' || (drift === 'snapshot' && !last.snapshotMissing);
};

/** Where nothing moved, neither did the exact total: of two that differ one is no count of what was read. */
const STANDS_STILL: readonly DriftProof[] = ['single-response', 'snapshot', 'second-pass'];

/** A total may move under a keyset or a documented cursor, so that more records than it says are no contradiction there. */
const totalContradicts = (drift: DriftProof, pass: Pass): boolean => {
  if (pass.totals === null) return false;
  if (STANDS_STILL.includes(drift)) return pass.unique !== pass.totals.least || pass.unique !== pass.totals.greatest;
  const mayGrow = pass.pages > 1 && (drift === 'keyset' || drift === 'documented');
  return pass.unique < pass.totals.least || (!mayGrow && pass.unique > pass.totals.greatest);
};

const totalsOf = (passes: readonly Pass[]): readonly number[] =>
  passes.flatMap(({ totals }) => (totals === null ? [] : [totals.least, totals.greatest]));

export const endDoubts = (drift: DriftProof, last: Pass, first: Pass | null): readonly ReasonCode[] => {
  const passes = first === null ? [last] : [first, last];
  const excluded = driftExcluded(drift, last, first);
  const totalChanged = new Set(totalsOf(passes)).size > 1;
  const doubts: ReasonCode[] = [];
  if (!excluded) doubts.push('drift-possible');
  if (!excluded && totalChanged) doubts.push('total-changed');
  if (passes.some((pass) => pass.repeated > 0)) doubts.push('order-unproven');
  if (passes.some((pass) => totalContradicts(drift, pass))) doubts.push('total-mismatch');
  return doubts;
};
