/** What is sent for one page. No request leaves the base URL's origin. */
import type { HttpConnect, HttpPaging, HttpRequest, SendPlace } from '../register/connect.js';
import { pathNames } from '../register/sent-values.js';
import type { Json } from './exact-json.js';
import { failure } from './http-failure.js';
import { CannotAsk, filledBody, sentText, type SentText, type ValueSources } from './request-values.js';

export interface BuiltRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** What its fingerprint is taken of: no host, no secret, no personal value. */
  readonly shown: string;
}

/** A value that paging writes, with its type. */
interface Written {
  readonly place: SendPlace;
  readonly value: Json;
}

const NAMED_SEGMENTS_MAX = 32;

export const below = (base: URL, path: string): URL => {
  const url = new URL(base.href);
  url.search = '';
  url.hash = '';
  url.pathname = base.pathname.replace(/\/+$/, '') + path;
  return url;
};

/** A segment of a path. Empty and dots would be read as the path's own. @throws CannotAsk */
export const pathSegment = (text: string): string => {
  if (text === '' || text === '.' || text === '..')
    throw new CannotAsk(failure('value-unsafe', 'a value in the path would change the path'));
  return encodeURIComponent(text);
};

/** `cursor`: JSON of the paging value, as the page before gave it; null: the first page. @throws CannotAsk */
export const buildPage = (base: URL, connect: HttpConnect, cursor: string | null, sources: ValueSources): BuiltRequest => {
  const { paging, request } = connect;
  if (paging.kind === 'url' && cursor !== null) return nextUrl(request, cursor, sources);
  const leavesOut = paging.kind === 'cursor' && paging.otherParameters === 'left-out' && cursor !== null;
  const written = writtenBy(paging, cursor);
  return build(base, leavesOut ? { ...request, query: {}, body: undefined, graphql: undefined } : request, written, sources);
};

/** @throws CannotAsk */
export const buildOther = (base: URL, request: HttpRequest, sources: ValueSources): BuiltRequest => build(base, request, [], sources);

const writtenBy = (paging: HttpPaging, cursor: string | null): readonly Written[] => {
  if (paging.kind === 'none') return [];
  const size = paging.pageSize === undefined ? [] : [{ place: paging.pageSize.send, value: paging.pageSize.size }];
  if (paging.kind === 'url') return size;
  if (cursor !== null) return [...size, { place: paging.send, value: JSON.parse(cursor) as Json }];
  return paging.kind === 'cursor' ? size : [...size, { place: paging.send, value: paging.first }];
};

const nextUrl = (request: HttpRequest, cursor: string, sources: ValueSources): BuiltRequest => ({
  method: request.method,
  url: new URL(JSON.parse(cursor) as string),
  headers: headersOf(request, sources),
  body: bodyText(request, [], sources, false),
  shown: `${request.method} {next}`,
});

const build = (base: URL, request: HttpRequest, written: readonly Written[], sources: ValueSources): BuiltRequest => {
  const path = pathOf(request, written, sources);
  const query = queryOf(request, written, sources);
  const url = below(base, path.text);
  url.search = new URLSearchParams(query.map(([name, { text }]): [string, string] => [name, text])).toString();
  const body = bodyText(request, written, sources, false);
  const shownQuery = new URLSearchParams(query.map(([name, { shown }]): [string, string] => [name, shown])).toString();
  const shownBody = bodyText(request, written, sources, true) ?? '';
  const headers = { ...headersOf(request, sources), ...Object.fromEntries(at('header', written)) };
  return { method: request.method, url, headers, body, shown: `${request.method} ${path.shown}?${shownQuery} ${shownBody}` };
};

/** What paging writes in headers or query, as text. @throws CannotAsk for a value that only a body can hold */
const at = (where: SendPlace['in'], written: readonly Written[]): readonly (readonly [string, string])[] =>
  written.filter(({ place }) => place.in === where).map(({ place, value }) => [place.name, plainText(value)] as const);

const plainText = (value: Json): string => {
  if (typeof value === 'object')
    throw new CannotAsk(failure('metadata-missing', 'the cursor is a list or an object, which only a body can carry'));
  return String(value);
};

const queryOf = (request: HttpRequest, written: readonly Written[], sources: ValueSources): readonly (readonly [string, SentText])[] => {
  const asked = Object.entries(request.query).flatMap(([name, value]) => {
    const sent = sentText(value, sources);
    return sent === null ? [] : [[name, sent] as const];
  });
  return [...asked, ...at('query', written).map(([name, text]) => [name, { text, shown: text }] as const)];
};

const headersOf = (request: HttpRequest, sources: ValueSources): Record<string, string> =>
  Object.fromEntries(
    Object.entries(request.headers).flatMap(([name, value]) => {
      const sent = sentText(value, sources);
      return sent === null ? [] : [[name, sent.text]];
    }),
  );

const pathOf = (request: HttpRequest, written: readonly Written[], sources: ValueSources): SentText => {
  const values = new Map(at('path', written));
  let text = request.path;
  let shown = request.path;
  for (const name of pathNames(request.path).slice(0, NAMED_SEGMENTS_MAX)) {
    const own = values.get(name);
    const sent = own === undefined ? sentText({ identifier: name }, sources) : { text: own, shown: own };
    if (sent === null) throw new CannotAsk(failure('field-unavailable', `${name} belongs in the path and was not asked`));
    text = text.replace(`{${name}}`, () => pathSegment(sent.text));
    shown = shown.replace(`{${name}}`, () => sent.shown);
  }
  return { text, shown };
};

const bodyText = (request: HttpRequest, written: readonly Written[], sources: ValueSources, shown: boolean): string | null => {
  const values = written.filter(({ place }) => place.in === 'body');
  if (request.method !== 'POST') return null;
  const { graphql, body } = request;
  const filled = graphql
    ? { query: graphql.query, variables: filledBody(graphql.variables, sources, shown) }
    : filledBody(body ?? {}, sources, shown);
  return JSON.stringify(values.reduce<Json>((whole, { place, value }) => withValue(whole, place.name, value), filled));
};

/** The JSON with that value at the pointer; objects on the way are made where they are absent. */
export const withValue = (json: Json, pointer: string, value: Json): Json => {
  const [part, ...rest] = pointer.split('/').slice(1);
  if (part === undefined) return value;
  const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
  const restPointer = rest.map((each) => `/${each}`).join('');
  if (Array.isArray(json)) {
    return (json as readonly Json[]).map((each, index) => (String(index) === name ? withValue(each, restPointer, value) : each));
  }
  const object = typeof json === 'object' && json !== null ? (json as Readonly<Record<string, Json>>) : {};
  return { ...object, [name]: withValue(object[name] ?? {}, restPointer, value) };
};
