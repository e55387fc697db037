import type { Fault, ListingFaultKind } from './fault.js';
import type { ListQuery } from './list-query.js';
import { writeCursor } from './list-query.js';
import type { Listing } from './listing.js';
import { positionAfter, seenRows } from './listing.js';

type Change = (listing: Listing, query: ListQuery, fault: Fault) => Listing | undefined;

const TOTAL_WRONG_BY = 7;

/** What each fault makes of a page; undefined where it would change nothing. */
const changes: Record<ListingFaultKind, Change> = {
  'repeat-cursor': (listing, query) => {
    const next = ownPosition(query);
    return next === undefined ? undefined : { ...listing, next, hasMore: true };
  },
  'cursor-cycle': (listing, query) => (query.page < 3 ? undefined : { ...listing, next: secondPage(query), hasMore: true }),
  'empty-page': (listing, query) => (listing.hasMore ? { ...listing, items: [], next: positionAfter(query, []) } : undefined),
  'total-changed': (listing, query) => (query.page < 2 ? undefined : { ...listing, total: listing.total + 1 }),
  'total-wrong': (listing, _query, { by = TOTAL_WRONG_BY }) => ({ ...listing, total: Math.max(0, listing.total + by) }),
  'lying-end': (listing, query) =>
    listing.hasMore ? { ...listing, next: null, hasMore: false, total: seenRows(query) + listing.items.length } : undefined,
  'duplicate-rows': (listing) =>
    listing.items.length > 0 ? { ...listing, items: [...listing.items.slice(0, 1), ...listing.items] } : undefined,
};

export function changeListing(fault: Fault, listing: Listing, query: ListQuery): Listing | undefined {
  return Object.hasOwn(changes, fault.kind) ? changes[fault.kind as ListingFaultKind](listing, query, fault) : undefined;
}

/** The first page was asked for without a cursor: it has none to repeat. */
function ownPosition(query: ListQuery): number | string | undefined {
  if (query.mode === 'page') return query.page;
  if (query.mode === 'offset') return query.offset;
  return query.page === 1 ? undefined : writeCursor(query.position);
}

function secondPage(query: ListQuery): number | string {
  if (query.mode === 'page') return 2;
  if (query.mode === 'offset') return query.limit;
  const { account, second } = query.position;
  return writeCursor({ account, page: 2, after: second?.after ?? '', seenRows: second?.seenRows ?? 0, second: null });
}
