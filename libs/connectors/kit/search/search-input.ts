/** What a search over a register's sources takes, and what it gives. */
import type { AskedIdentifier, Budget, EndedSource, Evidence, Exclusion, PageFacts, Provenance, StartedFacts } from '@lacuna/evidence';
import type { AttemptPage } from '../attempt/attempt.js';
import type { Clock, Egress, Secrets } from '../inputs.js';
import type { DocumentSource } from '../register/register-document.js';
import type { RateLimiter } from '../rate-limiter.js';
import type { SourceReader } from '../source-reader.js';
import type { PostgresConnections } from '../sql/postgres-connections.js';
import type { AttemptPlace } from './attempt-record.js';
import type { HashedRegister } from './hashed-register.js';

export interface SearchQuestion {
  /** Default: `exists`. */
  readonly kind?: StartedFacts['kind'];
  /** Provenance by default `system`; what a lookup found is looked up by the search unless it is given. */
  readonly identifiers: readonly (Pick<AskedIdentifier, 'name' | 'value'> & { readonly provenance?: Provenance })[];
  /** Default: now − the register's `toleranceMs`. */
  readonly needsAsOf?: string;
}

/** How sources are reached by the readers of this library. */
export interface Reach {
  readonly secrets: Secrets;
  readonly egress: Egress;
  /** Connections to tables that outlive one attempt. */
  readonly connections?: PostgresConnections;
  /** Shared by all that ask the same sources; absent: by this process. */
  readonly rateLimiter?: RateLimiter;
}

export interface SearchInput {
  /** See `hashedRegister`. */
  readonly register: HashedRegister;
  readonly question: SearchQuestion;
  /** Of it the readers are made; not needed where `newReader` is given. */
  readonly reach?: Reach;
  /**
   * Instead of `readerFor`: a reader for one attempt over that source, that asks for these identifiers (the question's, or a control's).
   * `own-writes` has none in this library.
   */
  readonly newReader?: (source: DocumentSource, identifiers: readonly Pick<AskedIdentifier, 'name' | 'value'>[]) => SourceReader;
  /** Records that a reviewer found to be different. */
  readonly exclusions?: readonly Exclusion[];
  /** Results of checks that are kept elsewhere; default: the register's controls are checked before the search. */
  readonly controls?: StartedFacts['controls'];
  readonly knownGaps?: StartedFacts['knownGaps'];
  /** Default: the register's budget. */
  readonly budget?: Budget;
  /** Time for the whole search, waits included; default 900,000. */
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
  readonly sleep?: (delayMs: number, signal: AbortSignal) => Promise<void>;
  readonly random?: () => number;
  /** Awaited before the next page is asked for. */
  readonly onPage?: (page: AttemptPage, place: AttemptPlace) => Promise<void>;
  /** A fault of ours that became a reason. */
  readonly told?: (error: unknown, source: string) => void;
}

export interface SearchResult {
  readonly started: StartedFacts;
  readonly ended: readonly EndedSource[];
  /** In the order in which they were read. */
  readonly pages: readonly PageFacts[];
  /** For `decide`. */
  readonly evidence: Evidence;
}
