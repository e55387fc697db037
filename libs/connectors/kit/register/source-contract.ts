/** The part of a source's contract beside `connect`, as a register file or a preset says it. */
import type { Attestation, Normaliser, ReasonCode } from '@lacuna/evidence';
import type { JsonPointer } from './connect.js';

/** How the source compares a value that is sent as a filter. */
export interface ValueComparison {
  readonly by: 'equality' | 'prefix' | 'contains' | 'tokens' | 'fuzzy' | 'unknown';
  readonly normalise: readonly Normaliser[];
}

/** One parameter of the request, and the value that it must have; without a value, any. */
export type SentParameter = ({ readonly query: string } | { readonly header: string } | { readonly body: JsonPointer }) & {
  readonly value?: string;
};

export interface DeclaredHazard {
  readonly name: string;
  readonly what: string;
  readonly documentedAt?: string;
  readonly reason: ReasonCode;
  readonly liftedBy?: SentParameter;
}

export interface Projection {
  readonly in: 'query' | 'body';
  readonly name: string;
  readonly contains: readonly string[];
  readonly required: boolean;
}

export interface SourceContract {
  /** Names of the presets that are merged in; an inline layer has none. */
  readonly presets: readonly string[];
  readonly comparison: Readonly<Record<string, ValueComparison>>;
  readonly hazards: readonly DeclaredHazard[];
  readonly attested: Readonly<Record<string, Attestation>>;
  /** `absent`: it (with that value) must not be sent. */
  readonly requires: readonly (SentParameter & { readonly absent?: boolean; readonly why: string })[];
  readonly projection?: Projection;
}
