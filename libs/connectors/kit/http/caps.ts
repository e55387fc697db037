/** Limits of the source at which an answer is not the whole. */
import type { ReasonCode } from '@lacuna/evidence';
import type { Cap } from '../register/connect.js';

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
