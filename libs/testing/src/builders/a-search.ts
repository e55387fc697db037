import type { PageRead, SearchEnded, SearchStarted } from '@lacuna/events';
import { freshId } from './fresh.js';
import { anEndedSource, aPageRead, aSearchEnded, aSearchStarted, FIRST_HASH } from './search-builders.js';

export interface Search {
  readonly started: SearchStarted;
  readonly pages: readonly PageRead[];
  readonly ended: SearchEnded;
}

/**
 * One generation whose parts fit: a source read in one attempt, pages chained by hash, the last one ending as `stopReason` says.
 * `pages` gives what differs in each page; none given: one empty page.
 */
export function aSearch(
  changes: Partial<SearchStarted> = {},
  pages: readonly Partial<PageRead>[] = [{}],
  stopReason = 'end-signalled',
): Search {
  const started = aSearchStarted({ tenantId: freshId('tenant'), questionId: freshId('question'), ...changes });
  const { tenantId, questionId, generation } = started;
  const source = started.sources[0] ?? 'ledger';
  const attemptId = `${questionId}:${generation}:${source}:1:1`;
  const read: PageRead[] = [];
  for (const [sequence, page] of pages.entries()) {
    const isLast = sequence === pages.length - 1;
    const end = isLast ? { end: stopReason === 'end-signalled' ? ('signalled' as const) : ('unclear' as const), stop: stopReason } : {};
    const previousHash = read.at(-1)?.hash ?? FIRST_HASH;
    const going = { end: 'continues' as const, stop: null };
    read.push(aPageRead({ ...going, ...end, tenantId, questionId, generation, source, attemptId, sequence, previousHash, ...page }));
  }
  const last = read.at(-1);
  const endedSource = anEndedSource({ source, attemptId, pages: read.length, lastHash: last?.hash ?? null, stopReason });
  return { started, pages: read, ended: aSearchEnded({ tenantId, questionId, generation, sources: [endedSource] }) };
}
