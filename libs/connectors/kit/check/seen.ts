/** What a live source showed of the statements of its contract. */
import type { HttpConnect, HttpPaging } from '../register/connect.js';
import { valueAt, type Json } from '../http/exact-json.js';
import type { Answer } from '../http/answer.js';
import type { PassSoFar } from '../http/page-mapping.js';
import type { PageResponse, ReadFailure, RecordOutcome } from '../source-reader.js';

/** `false`: an answer contradicts it. `not-tried`: nothing that was seen could show it to be true or false. */
export type Seen = 'true' | 'false' | 'not-tried';

export interface StatementSeen {
  /** JSON Pointer below the source. */
  readonly path: string;
  readonly statement: string;
  readonly seen: Seen;
  readonly detail: string;
}

export interface SeenPage {
  readonly answer: Answer;
  readonly pass: PassSoFar;
  /** Null: the answer was no page, which only the last can be. */
  readonly response: PageResponse | null;
}

export interface SeenRead {
  readonly pages: readonly SeenPage[];
  /** `bound`: more pages than were to be read. */
  readonly stopped: 'end' | 'bound' | 'no-continuation' | ReadFailure;
  /** The same request once more: whether it gave the same ids; null where it was not repeated. */
  readonly repeated: { readonly page: number; readonly same: boolean; readonly detail: string } | null;
  readonly byId: { readonly known: RecordOutcome | null; readonly absent: RecordOutcome } | null;
}

export const seen = (path: string, statement: string, outcome: Seen, detail: string): StatementSeen => ({
  path,
  statement,
  seen: outcome,
  detail,
});

export const itemsOn = ({ answer }: SeenPage, { items }: HttpConnect): readonly Json[] | null => {
  const value = valueAt(answer.json, items);
  return Array.isArray(value) ? (value as readonly Json[]) : null;
};

export const readPages = (read: SeenRead): readonly (SeenPage & { readonly response: PageResponse })[] =>
  read.pages.filter((page): page is SeenPage & { readonly response: PageResponse } => page.response !== null);

export const hasEnded = ({ stopped }: SeenRead): boolean => stopped === 'end';

export const overlapOf = (paging: HttpPaging): number => (paging.kind === 'offset' || paging.kind === 'cursor' ? paging.overlap : 0);

export const shown = (value: unknown): string => {
  const text = value === undefined ? 'absent' : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
};
