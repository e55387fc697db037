/**
 * The `connect` section of a source: how it is reached, and its continuation contract. Only this library reads it.
 * Secrets and addresses stand in it by reference, so that a register can be published and hashed.
 */

/** Where a secret or an address is kept: an environment variable, or a file whose trimmed text is the value. */
export type SecretReference = { readonly env: string } | { readonly file: string };

/** A value of one request: a fixed text, or the question's identifier of that name. */
export type RequestValue = { readonly value: string } | { readonly identifier: string };

/** RFC 6901. */
export type JsonPointer = string;

export type HttpPaging =
  | { readonly kind: 'none' }
  | { readonly kind: 'page'; readonly parameter: string; readonly first: number; readonly sizeParameter: string; readonly size: number }
  | { readonly kind: 'offset'; readonly parameter: string; readonly first: number; readonly sizeParameter: string; readonly size: number }
  | {
      readonly kind: 'cursor';
      readonly parameter: string;
      readonly sizeParameter: string;
      readonly size: number;
      /** Where the next cursor stands in the body. */
      readonly next: JsonPointer;
      /** What stands there when there is no further page. A value not listed that is no text or number is `metadata-missing`. */
      readonly noCursor: readonly ('absent' | 'null' | 'empty')[];
      /** `never`: a cursor beside a signalled end is a contradiction. */
      readonly cursorAtEnd: 'never' | 'allowed';
    };

/** One way in which the source says that the walk is over. Every declared signal must say the same. */
export type EndSignal =
  | { readonly by: 'no-next-cursor' }
  | {
      readonly by: 'flag';
      readonly path: JsonPointer;
      readonly ends: readonly (boolean | string | number | null)[];
      readonly continues: readonly (boolean | string | number | null)[];
    }
  | { readonly by: 'total' }
  | { readonly by: 'single-answer'; readonly documentedAt: string }
  | { readonly by: 'short-page'; readonly documentedAt: string }
  | { readonly by: 'empty-page'; readonly documentedAt: string };

/** A part of a readable answer that can make it less than whole. What is not said to be clean is the reason. */
export interface AnswerFlag {
  readonly path: JsonPointer;
  readonly clean: readonly (boolean | string | number | null)[];
  /** Null, 0, and an empty text, list or object are clean too. */
  readonly cleanWhenEmpty: boolean;
  readonly reason:
    'partial-answer' | 'error-in-success' | 'timed-out' | 'truncated' | 'cap-reached' | 'sub-source-unreachable' | 'recent-unavailable';
  /** True: an answer without this path is `metadata-missing`; false: it is clean. */
  readonly required: boolean;
}

export interface HttpRecordMap {
  readonly id: JsonPointer;
  readonly version?: JsonPointer;
  readonly status?: JsonPointer;
  readonly followTo?: JsonPointer;
  /** Identifier name to the place of its value in one item. */
  readonly fields: Readonly<Record<string, JsonPointer>>;
}

export interface HttpConnect {
  readonly type: 'http';
  /** The source's base URL; requests never leave its origin. */
  readonly url: SecretReference;
  readonly headers: Readonly<Record<string, SecretReference>>;
  readonly request: { readonly path: string; readonly query: Readonly<Record<string, RequestValue>> };
  readonly items: JsonPointer;
  readonly record: HttpRecordMap;
  readonly paging: HttpPaging;
  readonly end: readonly EndSignal[];
  readonly total?: { readonly path: JsonPointer; readonly relation: 'exact' | 'estimate' | 'lower-bound' };
  /** Version or snapshot id of the whole read, where the source gives one. */
  readonly snapshot?: JsonPointer;
  readonly flags: readonly AnswerFlag[];
  /** What a 404 to a first request means. `empty` only where the source documents that it does not stand for "forbidden". */
  readonly notFound: 'source-unavailable' | 'empty';
  readonly byId?: { readonly path: string };
  readonly requestTimeoutMs: number;
  readonly responseBytesMax: number;
}

export interface PostgresConnect {
  readonly type: 'postgres';
  readonly url: SecretReference;
  readonly table: { readonly schema: string; readonly name: string };
  /** Unique, immutable, not null: the order of an enumeration. */
  readonly id: string;
  readonly version?: string;
  readonly status?: string;
  readonly followTo?: string;
  /** Identifier name to column. */
  readonly fields: Readonly<Record<string, string>>;
  readonly pageSize: number;
  /** An exact lookup that finds more rows is read in pages instead. */
  readonly lookupRowsMax: number;
}

export type Connect = HttpConnect | PostgresConnect;
export type ConnectorKind = Connect['type'];
