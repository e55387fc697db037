import type { Authority, ReasonCode } from '@lacuna/evidence';

export interface TablePageFacts {
  readonly method: 'exact-lookup' | 'enumeration';
  /** More rows were found than a page holds. */
  readonly more: boolean;
  /** The id is unique and never null. */
  readonly orderProven: boolean;
  readonly inRecovery: boolean;
  readonly authority: Authority;
}

/** A standby that the register takes for the original has a lag that nobody has bounded. */
export const pageReasons = ({ method, more, orderProven, inRecovery, authority }: TablePageFacts): readonly ReasonCode[] => {
  const reasons: ReasonCode[] = [];
  if (method === 'exact-lookup' && more) reasons.push('cap-reached');
  if (method === 'enumeration' && !orderProven) reasons.push('order-unproven');
  if (inRecovery && authority === 'original') reasons.push('replica-lag-unknown');
  return reasons;
};
