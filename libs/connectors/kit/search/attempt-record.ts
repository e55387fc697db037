/** The pages of one attempt as they are recorded, each after the one before it; and an error of the record known from any other. */
import { GENESIS_HASH } from '@lacuna/evidence';
import type { AttemptPage } from '../attempt/attempt.js';

/** Which attempt a page belongs to, and the hash of the page before it (64 zeros for the first). */
export interface AttemptPlace {
  readonly source: string;
  readonly attemptId: string;
  readonly previousHash: string;
}

/**
 * Resolves with the page's hash when it is recorded: only then is the next one asked for.
 * @throws UnfitPageError when the page cannot be recorded, which is a reason; anything else ends the search.
 */
export type RecordPage = (page: AttemptPage, place: AttemptPlace) => Promise<string>;

/** An answer that no record can carry: the attempt ends as `response-invalid`. */
export class UnfitPageError extends Error {
  override readonly name = 'UnfitPageError';
}

export class AttemptRecord {
  /** What the record failed with; the search cannot go on. */
  failed: { readonly error: unknown } | null = null;
  startedAt: string | null = null;
  #last: string | null = null;
  #pages = 0;

  constructor(
    private readonly name: Omit<AttemptPlace, 'previousHash'>,
    private readonly recordPage: RecordPage,
  ) {}

  get attemptId(): string {
    return this.name.attemptId;
  }

  /** A page counts once it is recorded. */
  get pages(): number {
    return this.#pages;
  }

  /** Hash of the last page; null while there is none. */
  get lastHash(): string | null {
    return this.#last;
  }

  async add(page: AttemptPage): Promise<void> {
    try {
      this.#last = await this.recordPage(page, { ...this.name, previousHash: this.#last ?? GENESIS_HASH });
    } catch (error) {
      if (!(error instanceof UnfitPageError)) this.failed = { error };
      throw error;
    }
    this.startedAt ??= page.startedAt;
    this.#pages += 1;
  }
}
