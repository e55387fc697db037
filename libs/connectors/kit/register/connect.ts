/**
 * The `connect` section of a source: how it is reached, and its continuation contract. Only this library reads it.
 * Secrets and addresses stand in it by reference, so that a register can be published and hashed.
 * Here it is written out: presets are merged in and every default is set (register/expand-presets.ts).
 */
import type { ReasonCode } from '@lacuna/evidence';

/** Where a secret or an address is kept: an environment variable, or a file whose trimmed text is the value. */
export type SecretReference = { readonly env: string } | { readonly file: string };

/** RFC 6901. */
export type JsonPointer = string;

/** Where a value of an answer stands: in its body, in a header, as the target of a link of that relation (RFC 8288), or in the row that came last. */
export type Place = JsonPointer | { readonly header: string } | { readonly link: string } | { readonly lastRow: JsonPointer };

export type Scalar = boolean | string | number | null;

/**
 * A value of one request.
 * `value`: fixed. `identifier`: the question's, left out when it was not asked. `secret`: by reference. `opened`: what `open` took.
 * `template`: text with `{identifier}` in it, for a query language; `unsafe` is a regular expression (u flag, unanchored): a question whose
 * value (of any identifier in the template) it finds is not asked: `value-unsafe`. `escape` is applied to each value put in.
 */
export type RequestValue =
  | { readonly value: string }
  | { readonly identifier: string }
  | { readonly secret: SecretReference }
  | { readonly opened: string }
  | {
      readonly template: string;
      readonly escape: 'none' | 'backslash' | 'double-quotes' | 'double-single-quotes' | 'url';
      readonly unsafe?: string;
    };

/** JSON of a request body. An object with the single member `$identifier`, `$opened`, `$template` or `$secret` is replaced as a RequestValue is. */
export type BodyTemplate = Scalar | readonly BodyTemplate[] | { readonly [member: string]: BodyTemplate };

/** How a credential is sent. Every part by reference. */
export type HttpAuth =
  | { readonly kind: 'none' }
  | { readonly kind: 'bearer'; readonly token: SecretReference }
  | { readonly kind: 'basic'; readonly user: SecretReference; readonly password: SecretReference }
  | {
      readonly kind: 'api-key';
      readonly in: 'header' | 'query';
      readonly name: string;
      readonly value: SecretReference;
      readonly prefix: string;
    }
  | {
      readonly kind: 'oauth2-client-credentials';
      /** Its host must be on the allow-list too. */
      readonly tokenUrl: SecretReference;
      readonly clientId: SecretReference;
      readonly clientSecret: SecretReference;
      readonly scope?: string;
      readonly audience?: string;
      /** How the client names itself at the token endpoint (RFC 6749, 2.3.1). */
      readonly clientAuth: 'basic' | 'body';
    };

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query: Readonly<Record<string, RequestValue>>;
  readonly headers: Readonly<Record<string, RequestValue>>;
  /** POST only. */
  readonly body?: BodyTemplate;
  /** Instead of a body: posted as `{ query, variables }`; an answer with `errors` is `error-in-success`. */
  readonly graphql?: { readonly query: string; readonly variables: Readonly<Record<string, BodyTemplate>> };
}

/** Where a paging value is written in the next request. `body`: `name` is a JSON Pointer, made where absent. `path`: replaces `{name}` in the path. */
export interface SendPlace {
  readonly in: 'query' | 'header' | 'body' | 'path';
  readonly name: string;
}

export interface PageSize {
  readonly send: SendPlace;
  readonly size: number;
  /** Where the answer says how many it allowed. A smaller size than asked for is then the page's size. */
  readonly echo?: Place;
}

/** What stands in the place of the next cursor when there is none. A value that is neither listed nor a text or number is `metadata-missing`. */
export type NoCursor = 'absent' | 'null' | 'empty' | 'false';

interface FromAnswer {
  readonly next: Place;
  readonly noCursor: readonly NoCursor[];
  /** `never`: a cursor beside a signalled end is a contradiction (`end-signals-conflict`). */
  readonly cursorAtEnd: 'never' | 'allowed';
  /** Time for which the source keeps it; used later than that it is `cursor-expired`. */
  readonly lifetimeMs?: number;
  /** `replayable`: a lost answer may be asked for again within the attempt. `consuming`: asking again would skip a page. */
  readonly replay: 'replayable' | 'consuming' | 'unknown';
}

export type HttpPaging =
  | { readonly kind: 'none' }
  | { readonly kind: 'page'; readonly send: SendPlace; readonly first: number; readonly pageSize?: PageSize }
  | {
      readonly kind: 'offset';
      readonly send: SendPlace;
      readonly first: number;
      readonly pageSize: PageSize;
      /** Records of the page before that each page reads again; 1 with drift `overlap`. */
      readonly overlap: number;
    }
  | (FromAnswer & {
      /** The next cursor is a value: a token, the id of the last row, a time. */
      readonly kind: 'cursor';
      readonly send: SendPlace;
      readonly pageSize?: PageSize;
      /** Other parameters beside the cursor: sent again, or left out because the cursor holds them. */
      readonly otherParameters: 'sent' | 'left-out';
      /** Records of the page before that each page reads again (an inclusive bound); 1 with drift `overlap`. */
      readonly overlap: number;
    })
  | (FromAnswer & {
      /** The next page is a whole URL: same origin, same path unless `samePath` is false, and every parameter of `keeps` with the value that was asked. */
      readonly kind: 'url';
      readonly pageSize?: PageSize;
      readonly samePath: boolean;
      /** Query parameters (of the first request) that the next URL must repeat unchanged; `[]` where the URL is opaque. Otherwise `filter-not-applied`. */
      readonly keeps: readonly string[];
    });

/** One way in which the source says that the read is over. Every declared signal must say the same. */
export type EndSignal =
  | { readonly by: 'no-next-cursor' }
  /** `optional`: left out it says nothing; another signal must. */
  | {
      readonly by: 'flag';
      readonly path: Place;
      readonly ends: readonly Scalar[];
      readonly continues: readonly Scalar[];
      readonly optional?: boolean;
    }
  /** As many records were read as the exact total says. */
  | { readonly by: 'total' }
  /** Page number >= the answer's number of pages. */
  | { readonly by: 'page-count'; readonly path: Place }
  /** A value has reached another: a position its end offset. */
  | { readonly by: 'reached'; readonly path: Place; readonly target: Place }
  /** Another link or member appears only on the last page, such as a delta link; absent means that there is more. */
  | { readonly by: 'present'; readonly path: Place }
  /** Another place that says where to go on, such as the number of the next page, holds nothing; any text or number there goes on. */
  | { readonly by: 'no-value'; readonly path: Place; readonly none: readonly NoCursor[] }
  /** The cursor that came back is the one that was sent. `whenEmpty`: only on a page without records. */
  | { readonly by: 'unchanged-cursor'; readonly documentedAt: string; readonly whenEmpty: boolean }
  | { readonly by: 'single-answer'; readonly documentedAt: string }
  /** Fewer records than asked for. Believed alone only with the source's greatest page size, which `pageSize.size` must not exceed, or with `pageSize.echo`. */
  | { readonly by: 'short-page'; readonly documentedAt: string; readonly pageSizeMax?: number }
  | { readonly by: 'empty-page'; readonly documentedAt: string };

export interface Total {
  readonly path: Place;
  readonly relation: 'exact' | 'estimate' | 'lower-bound';
  /** Where the answer itself says which it is: values that mean exact; any other is a lower bound. */
  readonly relationAt?: { readonly path: Place; readonly exact: readonly Scalar[] };
  /** It never says more than this: a total of at least so many is a lower bound. */
  readonly saturatesAt?: number;
  /** `all`: every record that the request matches. `remaining`: those from this page on. `page`: only this page's, no total at all. */
  readonly counts: 'all' | 'remaining' | 'page';
  /** Only on the first page. */
  readonly firstPageOnly: boolean;
  /** May be left out (above some size). */
  readonly optional: boolean;
  /** Counted before access rules: more than was read is `visibility-limited`, else `total-mismatch`. */
  readonly countedBeforeAccess: boolean;
}

/** A limit of the source at which an answer is not the whole. Touching it is `cap-reached`, however the source behaves there. */
export interface Cap {
  /** `records`: of the whole read. `page-records`: of one page. `pages`: of the whole read. `offset`: the position behind a page. `total`: what the total says. */
  readonly unit: 'records' | 'page-records' | 'pages' | 'offset' | 'total';
  /** Reached at this value and above. */
  readonly value: number;
  readonly overflow: 'silent-stop' | 'error' | 'clamp' | 'flag' | 'repeat-last';
  readonly documentedAt?: string;
}

export type FlagReason = ReasonCode;

/** A part of a readable answer that can make it less than whole. What is not said to be clean is the reason. */
export interface AnswerFlag {
  readonly path: Place;
  readonly clean: readonly Scalar[];
  /** Null, 0, and an empty text, list or object are clean too. */
  readonly cleanWhenEmpty: boolean;
  /** Equal (by value) to another place of the answer: `successful` to `total` shards. */
  readonly sameAs?: Place;
  /** Equal to what was asked: an answer that repeats the filter, the range or the cursor. A name of `request.query`, or an identifier. */
  readonly sameAsSent?: { readonly query: string } | { readonly identifier: string };
  /** Every entry of a list or object there must be clean, at this pointer within the entry ('' is the entry itself). */
  readonly each?: JsonPointer;
  /** Members that must be there when it is an object (or a list of texts): the sub-sources that belong to the scope. */
  readonly members: readonly string[];
  readonly reason: FlagReason;
  /** True: an answer without this path is `metadata-missing`; false: it is clean. */
  readonly required: boolean;
}

/** An answer that is no page. The first that fits says the reason; it is looked for in every answer, whatever its status. */
export interface ErrorMatch {
  /** Absent: any status. */
  readonly status?: readonly number[];
  readonly path?: Place;
  /** Values at `path`; absent: its presence is enough. */
  readonly values?: readonly Scalar[];
  /** Text that the value at `path` contains, without regard to case. */
  readonly contains?: string;
  readonly reason: ReasonCode;
}

/** How long the source asks to be left alone. */
export interface RetryAfter {
  readonly path: Place;
  readonly unit: 'seconds' | 'milliseconds' | 'epoch-seconds' | 'epoch-milliseconds' | 'http-date-or-seconds';
}

export interface HttpRecordMap {
  /** Several: the id is all of them together. */
  readonly id: JsonPointer | readonly JsonPointer[];
  readonly version?: JsonPointer;
  readonly status?: JsonPointer;
  readonly followTo?: JsonPointer;
  /** Identifier name to the place of its value in one item. */
  readonly fields: Readonly<Record<string, JsonPointer>>;
}

/** The order that the source promises. Checked on every page and between pages: a row out of order, or equal to its neighbour, is `order-unproven`. */
export interface RecordOrder {
  readonly by: JsonPointer;
  readonly compare: 'number' | 'text' | 'instant';
  readonly direction: 'ascending' | 'descending';
}

/** Asked once before the first page: a session, a point in time, a scroll. */
export interface OpenRequest extends HttpRequest {
  /** Name to where its value stands in the answer. A missing one is `metadata-missing`. */
  readonly take: Readonly<Record<string, Place>>;
  /** Of what was taken: where a page may give it anew; the newest one is sent. */
  readonly retake?: Readonly<Record<string, Place>>;
  readonly flags: readonly AnswerFlag[];
}

/** An answer that is valid only in a terminal state. While running, the same request is asked again. */
export interface ExecutionState {
  readonly path: Place;
  readonly finished: readonly Scalar[];
  /** Any other value is `response-invalid`; still running after `pollsMax` is `job-unfinished`. */
  readonly running: readonly Scalar[];
  readonly pollDelayMs: number;
  readonly pollsMax: number;
}

export interface HttpConnect {
  readonly type: 'http';
  /** Version of the contract language. */
  readonly language: 1;
  /** The source's base URL; requests never leave its origin. */
  readonly url: SecretReference;
  readonly auth: HttpAuth;
  readonly request: HttpRequest;
  readonly open?: OpenRequest;
  /** Asked after `open` and before the first page, with what it took. Its answer is not read, but must be a success. */
  readonly confirm?: HttpRequest;
  /** Asked after the last page, its answer is not read. */
  readonly close?: HttpRequest;
  readonly format: 'json' | 'json-lines' | 'event-stream';
  /** A text of the body that is JSON itself: parsed and put at `into`. Not parseable: `response-invalid`. */
  readonly unwrap?: { readonly path: JsonPointer; readonly into: JsonPointer };
  readonly state?: ExecutionState;
  readonly items: JsonPointer;
  /** `missing`: an answer without it is `response-invalid`. `empty`: documented that it is left out when there is nothing. */
  readonly itemsAbsent: 'response-invalid' | 'empty';
  readonly record: HttpRecordMap;
  readonly paging: HttpPaging;
  readonly end: readonly EndSignal[];
  readonly total?: Total;
  readonly caps: readonly Cap[];
  /** Version or snapshot id of the whole read, the same on every page. */
  readonly snapshot?: Place;
  readonly order?: RecordOrder;
  /** Moment up to which the answer was true, by the source's clock. It can move the boundary back, never forward. */
  readonly watermark?: { readonly path: Place; readonly unit: 'iso' | 'epoch-seconds' | 'epoch-milliseconds' };
  readonly flags: readonly AnswerFlag[];
  readonly errors: readonly ErrorMatch[];
  readonly retryAfter: readonly RetryAfter[];
  /** What a 404 to a first request means. `empty` only where the source documents that it does not stand for "forbidden" (404_masks_403). */
  readonly notFound: 'source-unavailable' | 'empty';
  /** A 204 without a body: nothing, and the end. */
  readonly noContent: 'response-invalid' | 'empty';
  readonly byId?: { readonly path: string };
  /** Within one attempt, of a request whose answer was lost or refused for a while: only of the first page, and where the cursor replays. */
  readonly retries: { readonly retriesMax: number; readonly delayMs: number; readonly delayMsMax: number };
  /** Shared by all processes of a deployment. `key` names what is limited; default: tenant, register and source. */
  readonly rateLimit?: { readonly requests: number; readonly perMs: number; readonly key?: string };
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
