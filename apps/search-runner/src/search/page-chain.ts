/** The hash chain of one attempt's page reads. */
import type { AttemptPage } from '@lacuna/connectors';
import type { MatchingRow, PageRead } from '@lacuna/events';
import { canonicalJson, sha256Hex } from '@lacuna/receipts';

const GENESIS = '0'.repeat(64);

export interface ChainOwner {
  readonly tenantId: string;
  readonly questionId: string;
  readonly generation: number;
  readonly attemptId: string;
}

/** Names an attempt and chains its pages, in the order in which they were read. A page counts once it is in the log. */
export class PageChain {
  #last: PageRead | null = null;
  #pages = 0;

  constructor(private readonly owner: ChainOwner) {}

  get attemptId(): string {
    return this.owner.attemptId;
  }

  get pages(): number {
    return this.#pages;
  }

  /** Hash of the last page; null while there is none. */
  get lastHash(): string | null {
    return this.#last?.hash ?? null;
  }

  /** The page as it is published, behind those that were added. */
  link(page: AttemptPage): PageRead {
    const { tenantId, questionId, generation, attemptId } = this.owner;
    const unhashed = {
      tenantId,
      questionId,
      generation,
      attemptId,
      ...page,
      doubts: [...page.doubts],
      rows: page.rows.map(rowOf),
      previousHash: this.lastHash ?? GENESIS,
    };
    return { ...unhashed, hash: sha256Hex(canonicalJson(JSON.parse(JSON.stringify(unhashed)))) };
  }

  /** The page is in the log: the next one follows it. */
  add(page: PageRead): void {
    this.#last = page;
    this.#pages += 1;
  }
}

/** What a source leaves empty is written as none: an event has no empty texts. */
const rowOf = (row: AttemptPage['rows'][number]): MatchingRow => ({
  ...row,
  version: row.version || null,
  status: row.status || null,
  followedTo: row.followedTo || null,
  results: { ...row.results },
});
