/** From what a register file may say in short to what the rest of this library reads: no shorthand and no default is left. */
import type {
  BodyTemplate,
  Connect,
  HttpConnect,
  HttpPaging,
  HttpRequest,
  NoCursor,
  OpenRequest,
  RequestValue,
  SendPlace,
} from './connect.js';
import { contractDoubts } from './contract-obstacles.js';
import { cursorNames } from './layers/merge-table.js';
import { predicateOf } from './predicate.js';
import type { DocumentSource, RegisterDocument } from './register-document.js';
import { identifiersIn, isSent } from './sent-values.js';
import type { SourceContract } from './source-contract.js';

/** What a template's value may hold where nothing escapes it: a minus or a word such as OR would be read as a part of the query. */
const PLAIN_WORDS = '^-|^(?:AND|OR|NOT)$|[^\\p{L}\\p{N}@._-]';

type Shorthand<T> = T | string | number | boolean;

const valueOf = (value: Shorthand<RequestValue>): RequestValue => {
  if (typeof value !== 'object') return { value: String(value) };
  if (!('template' in value)) return value;
  const { template, escape = 'none', unsafe = escape === 'none' ? PLAIN_WORDS : undefined } = value;
  return { template, escape, ...(unsafe === undefined ? {} : { unsafe }) };
};

const valuesOf = (values: HttpRequest['query']): HttpRequest['query'] =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, valueOf(value)]));

const bodyOf = (body: BodyTemplate): BodyTemplate => {
  if (typeof body !== 'object' || body === null) return body;
  if (Array.isArray(body)) return body.map((each: BodyTemplate) => bodyOf(each));
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      if (name !== '$template') return [name, bodyOf(value as BodyTemplate)];
      const written = typeof value === 'string' ? { template: value } : value;
      return [name, valueOf(written as unknown as RequestValue) as unknown as BodyTemplate];
    }),
  );
};

const requestOf = <R extends HttpRequest>(request: R): R => ({
  ...request,
  method: request.method ?? (request.body === undefined && request.graphql === undefined ? 'GET' : 'POST'),
  query: valuesOf(request.query),
  headers: valuesOf(request.headers),
  ...(request.body === undefined ? {} : { body: bodyOf(request.body) }),
  ...(request.graphql === undefined
    ? {}
    : { graphql: { ...request.graphql, variables: bodyOf(request.graphql.variables) as Readonly<Record<string, BodyTemplate>> } }),
});

const sendOf = (place: SendPlace | string): SendPlace => (typeof place === 'string' ? { in: 'query', name: place } : place);

const narrowing = ({ query }: HttpRequest): readonly string[] =>
  Object.entries(query).flatMap(([name, value]) => (identifiersIn(value).length > 0 ? [name] : []));

/** A row that came last is always there, so that only a page without rows has no cursor. Left out elsewhere, nothing means that there is none. */
const noCursorOf = ({ next, noCursor }: Extract<HttpPaging, { kind: 'cursor' | 'url' }>): readonly NoCursor[] =>
  (noCursor as readonly NoCursor[] | undefined) === undefined
    ? typeof next === 'object' && 'lastRow' in next
      ? ['absent']
      : []
    : (cursorNames(noCursor) as readonly NoCursor[]);

const pagingOf = (filed: HttpPaging, request: HttpRequest): HttpPaging => {
  if (filed.kind === 'none') return filed;
  const paging = 'next' in filed ? { ...filed, noCursor: noCursorOf(filed) } : filed;
  const size = paging.pageSize === undefined ? {} : { pageSize: { ...paging.pageSize, send: sendOf(paging.pageSize.send) } };
  if (paging.kind !== 'url') return { ...paging, send: sendOf(paging.send), ...size } as HttpPaging;
  return { ...paging, ...size, keeps: keepsOf(paging, request) };
};

/** Where a URL must repeat anything, it must repeat what narrows: a filter lost on the way leaves out what the first pages would have held. */
const keepsOf = ({ keeps, samePath }: Extract<HttpPaging, { kind: 'url' }>, request: HttpRequest): readonly string[] => {
  const isOpaque = keeps === undefined ? !samePath : keeps.length === 0;
  return isOpaque ? (keeps ?? []) : [...new Set([...(keeps ?? []), ...narrowing(request)])];
};

const httpOf = (connect: HttpConnect): HttpConnect => {
  const request = requestOf(connect.request);
  return {
    ...connect,
    request,
    ...(connect.open === undefined ? {} : { open: requestOf<OpenRequest>(connect.open) }),
    ...(connect.confirm === undefined ? {} : { confirm: requestOf(connect.confirm) }),
    ...(connect.close === undefined ? {} : { close: requestOf(connect.close) }),
    paging: pagingOf(connect.paging, request),
    end: connect.end.map((signal) =>
      signal.by === 'no-value' ? { ...signal, none: cursorNames(signal.none) as readonly NoCursor[] } : signal,
    ),
  };
};

/** A source as the file has it after the schema has filled in its defaults: what is in `contract` stands beside it. */
type FiledSource = Omit<DocumentSource, 'contract' | 'hazards'> &
  Omit<SourceContract, 'presets'> & { readonly presets: readonly unknown[]; readonly drift?: DocumentSource['drift'] };

/** One answer cannot drift, whatever is said of longer reads. */
const driftOf = ({ drift = 'none' }: FiledSource, connect: Connect): DocumentSource['drift'] => {
  const isSingle = connect.type === 'http' && connect.paging.kind === 'none';
  return isSingle && (drift === 'none' || drift === 'upper-bound') ? 'single-response' : drift;
};

/** Ids do not change: an order by them is checked on every page. */
const isOrderedById = (connect: Connect): boolean =>
  connect.type === 'http' && connect.order !== undefined && connect.order.by === connect.record.id;

const sourceOf = (filed: FiledSource, identifiers: RegisterDocument['identifiers']): DocumentSource => {
  const { presets, comparison, hazards, attested, requires, projection, orderKept, ...rest } = filed;
  const kept = isOrderedById(filed.connect) ? 'by-id' : orderKept;
  const connect = filed.connect.type === 'http' ? httpOf(filed.connect) : filed.connect;
  const contract: SourceContract = {
    presets: presets.filter((preset) => typeof preset === 'string'),
    comparison,
    hazards,
    attested,
    requires,
    ...(projection === undefined ? {} : { projection }),
  };
  const lifted = ({ liftedBy }: SourceContract['hazards'][number]): boolean =>
    liftedBy !== undefined && connect.type === 'http' && isSent(liftedBy, connect);
  const source = {
    ...rest,
    connect,
    contract,
    drift: driftOf(filed, connect),
    ...(kept === undefined ? {} : { orderKept: kept }),
    hazards: hazards
      .filter((hazard) => !lifted(hazard))
      .map(({ name, reason }) => ({ name, reason, attestation: Object.hasOwn(attested, name) ? (attested[name] ?? null) : null })),
    predicate: predicateOf({ method: filed.method, connect, contract }, identifiers),
  };
  return { ...source, contractDoubts: contractDoubts(source) };
};

/** `filed` has passed the schema, which has set the defaults that do not depend on anything else. */
export const writtenOut = (filed: unknown): RegisterDocument => {
  const register = filed as Omit<RegisterDocument, 'sources'> & { readonly sources: readonly FiledSource[] };
  return {
    ...register,
    toleranceMs: register.toleranceMs ?? register.clockSkewMaxMs,
    sources: register.sources.map((source) => sourceOf(source, register.identifiers)),
  };
};
