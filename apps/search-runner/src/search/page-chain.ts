/** The page reads of one attempt as events, each with the hash of the one before it. */
import type { AttemptPage, AttemptPlace } from '@lacuna/connectors';
import type { MatchingRow, PageRead } from '@lacuna/events';
import { canonicalJson, sha256Hex } from '@lacuna/receipts';

export interface Generation {
  readonly tenantId: string;
  readonly questionId: string;
  readonly generation: number;
}

/** The page as it is published. */
export function linkedPage(
  { tenantId, questionId, generation }: Generation,
  page: AttemptPage,
  place: Omit<AttemptPlace, 'source'>,
): PageRead {
  const unhashed = {
    tenantId,
    questionId,
    generation,
    attemptId: place.attemptId,
    ...page,
    doubts: [...page.doubts],
    rows: page.rows.map(rowOf),
    previousHash: place.previousHash,
  };
  return { ...unhashed, hash: sha256Hex(canonicalJson(JSON.parse(JSON.stringify(unhashed)))) };
}

/** What a source leaves empty is written as none: an event has no empty texts. */
const rowOf = (row: AttemptPage['rows'][number]): MatchingRow => ({
  ...row,
  version: row.version || null,
  status: row.status || null,
  followedTo: row.followedTo || null,
  results: { ...row.results },
});
