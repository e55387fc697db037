/** What one pass over a source has seen so far. Plain data; its lists are bounded by the walk's `pagesMax`. */
import type { PageObservation } from './observation.js';

export interface Pass {
  readonly pages: number;
  /** Distinct records. */
  readonly unique: number;
  /** Records that came again on a later page. */
  readonly repeated: number;
  /** Pages in a row without a new record. */
  readonly idlePages: number;
  /** Fingerprints of all cursors asked for. */
  readonly cursors: readonly string[];
  /** Digests of the ids of all pages that had records, in order. */
  readonly digests: readonly string[];
  /** Least and greatest exact total that a page gave; null while none did. */
  readonly totals: { readonly least: number; readonly greatest: number } | null;
  /** Snapshot id of the first page, and whether a page had none. */
  readonly snapshot: string | null;
  readonly snapshotMissing: boolean;
}

export const emptyPass: Pass = {
  pages: 0,
  unique: 0,
  repeated: 0,
  idlePages: 0,
  cursors: [],
  digests: [],
  totals: null,
  snapshot: null,
  snapshotMissing: false,
};

const totalsWith = (totals: Pass['totals'], total: PageObservation['total']): Pass['totals'] => {
  if (total === null || total.relation !== 'exact') return totals;
  if (totals === null) return { least: total.value, greatest: total.value };
  return { least: Math.min(totals.least, total.value), greatest: Math.max(totals.greatest, total.value) };
};

export const isIdle = (page: PageObservation): boolean => page.records === page.repeatedIds;

export const withPage = (pass: Pass, page: PageObservation): Pass => ({
  pages: pass.pages + 1,
  unique: pass.unique + page.records - page.repeatedIds,
  repeated: pass.repeated + page.repeatedIds,
  idlePages: isIdle(page) ? pass.idlePages + 1 : 0,
  cursors: pass.cursors,
  digests: page.records > 0 ? [...pass.digests, page.idsDigest] : pass.digests,
  totals: totalsWith(pass.totals, page.total),
  snapshot: pass.pages === 0 ? page.snapshot : pass.snapshot,
  snapshotMissing: pass.snapshotMissing || page.snapshot === null,
});

export const withCursor = (pass: Pass, cursor: string): Pass => ({ ...pass, cursors: [...pass.cursors, cursor] });
