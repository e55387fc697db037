/** The hash chain of one attempt's page reads. */
import type { AttemptPage } from '@lacuna/connectors';
import type { PageRead } from '@lacuna/events';
import { canonicalJson, sha256Hex } from '@lacuna/receipts';

const GENESIS = '0'.repeat(64);

export interface ChainOwner {
  readonly tenantId: string;
  readonly questionId: string;
  readonly generation: number;
  readonly attemptId: string;
}

/** Names an attempt and chains its pages, in the order in which they were read. */
export class PageChain {
  #lastHash: string | null = null;

  constructor(private readonly owner: ChainOwner) {}

  get attemptId(): string {
    return this.owner.attemptId;
  }

  /** Hash of the last page; null while there is none. */
  get lastHash(): string | null {
    return this.#lastHash;
  }

  /** The page as it is published. */
  link(page: AttemptPage): PageRead {
    const { tenantId, questionId, generation, attemptId } = this.owner;
    const unhashed = {
      tenantId,
      questionId,
      generation,
      attemptId,
      ...page,
      doubts: [...page.doubts],
      rows: page.rows.map((row) => ({ ...row, results: { ...row.results } })),
      previousHash: this.#lastHash ?? GENESIS,
    };
    this.#lastHash = sha256Hex(canonicalJson(JSON.parse(JSON.stringify(unhashed))));
    return { ...unhashed, hash: this.#lastHash };
  }
}
