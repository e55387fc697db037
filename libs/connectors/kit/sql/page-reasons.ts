import type { Authority, ReasonCode } from '@lacuna/evidence';

export interface TablePageFacts {
  readonly atOnce: boolean;
  /** More rows were found than a page holds. */
  readonly more: boolean;
  /** A read that ends on its first page needs no order. */
  readonly isFirst: boolean;
  /** "After the last id" misses no row. */
  readonly orderProven: boolean;
  readonly inRecovery: boolean;
  readonly authority: Authority;
}

/** A standby that the register takes for the original has a lag that nobody has bounded. */
export const pageReasons = ({ atOnce, more, isFirst, orderProven, inRecovery, authority }: TablePageFacts): readonly ReasonCode[] => {
  const reasons: ReasonCode[] = [];
  if (atOnce && more) reasons.push('cap-reached');
  if (!atOnce && !isFirst && !orderProven) reasons.push('order-unproven');
  if (inRecovery && authority === 'original') reasons.push('replica-lag-unknown');
  return reasons;
};
