import { describe, expect, it } from 'vitest';
import { pageReasons, type TablePageFacts } from './page-reasons.js';

const facts = (more: Partial<TablePageFacts> = {}): TablePageFacts => ({
  atOnce: false,
  more: false,
  isFirst: true,
  orderProven: true,
  inRecovery: false,
  authority: 'original',
  ...more,
});

describe('what a page of a table leaves open', () => {
  // Fails if a connection that was pointed at a standby supports a no-match as if it were the system of record.
  it('is the lag of a standby that is declared the original, and not of one that is declared a copy', () => {
    expect(pageReasons(facts({ inRecovery: true }))).toEqual(['replica-lag-unknown']);
    expect(pageReasons(facts({ inRecovery: true, authority: 'copy' }))).toEqual([]);
  });

  it('is nothing else unless rows were cut or the order is not total', () => {
    expect(pageReasons(facts({ more: true }))).toEqual([]);
    expect(pageReasons(facts({ atOnce: true, more: true }))).toEqual(['cap-reached']);
    expect(pageReasons(facts({ atOnce: true, orderProven: false }))).toEqual([]);
    expect(pageReasons(facts({ orderProven: false }))).toEqual([]);
    expect(pageReasons(facts({ orderProven: false, isFirst: false }))).toEqual(['order-unproven']);
  });
});
