/** Limits of the source at which an answer is not the whole. */
import type { ReasonCode } from '@lacuna/evidence';
import type { Cap, HttpPaging } from '../register/connect.js';
import type { Position } from './continuation.js';

export interface CapFacts {
  readonly pageRecords: number;
  /** Of this pass, this page included. */
  readonly records: number;
  readonly pages: number;
  /** Position behind this page, where positions are counted. */
  readonly offset: number;
  readonly total: number | null;
}

/** A cap that is touched is no end, whether or not there was more: the two look alike. */
export const capReasons = (caps: readonly Cap[], facts: CapFacts): readonly ReasonCode[] =>
  caps.some(({ unit, value }) => (measured(unit, facts) ?? -1) >= value) ? ['cap-reached'] : [];

const measured = (unit: Cap['unit'], { pageRecords, records, pages, offset, total }: CapFacts): number | null =>
  ({ records, 'page-records': pageRecords, pages, offset, total })[unit];

/**
 * Position behind what a page was asked for. Rows that the source leaves out of a page take a place of their own, so that the rows which
 * came stay below a cap of positions that the source has long reached.
 */
export const behindPage = (paging: HttpPaging, { cursor }: Pick<Position, 'cursor'>, items: number): number => {
  if (paging.kind !== 'page' && paging.kind !== 'offset') return 0;
  const asked = (cursor === null ? paging.first : Number(cursor)) - paging.first;
  const size = paging.pageSize?.size ?? 0;
  return paging.kind === 'page' ? (asked + 1) * size : asked + Math.max(size, items);
};
