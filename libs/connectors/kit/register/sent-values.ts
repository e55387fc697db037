/** Everything that a contract's request sends, wherever it stands. */
import type { BodyTemplate, HttpConnect, HttpRequest, RequestValue, SendPlace } from './connect.js';
import type { SentParameter } from './source-contract.js';

export interface SentValue {
  /** JSON Pointer below the request. */
  readonly path: string;
  readonly in: SendPlace['in'];
  /** Of a query parameter or header; in the body its JSON Pointer. */
  readonly name: string;
  readonly value: RequestValue;
}

const escaped = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1');

/** The request value that an object of a body stands for; null: it is itself. */
export const bodyValue = (body: BodyTemplate): RequestValue | null => {
  if (typeof body !== 'object' || body === null) return { value: String(body) };
  if (Array.isArray(body)) return null;
  const [only, ...more] = Object.entries(body);
  if (!only || more.length > 0) return null;
  const [name, value] = only;
  if (name === '$template') return value as unknown as RequestValue;
  return ['$identifier', '$opened', '$secret'].includes(name) ? ({ [name.slice(1)]: value } as unknown as RequestValue) : null;
};

const inBody = (body: BodyTemplate, path: string, name: string): readonly SentValue[] => {
  const value = bodyValue(body);
  if (value !== null) return [{ path, in: 'body', name, value }];
  return Object.entries(body as object).flatMap(([member, each]) =>
    inBody(each as BodyTemplate, `${path}/${escaped(member)}`, `${name}/${escaped(member)}`),
  );
};

/** Names in braces of a path. */
export const pathNames = (path: string): readonly string[] => [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name ?? '');

const named = (where: 'query' | 'header', at: string, values: HttpRequest['query']): readonly SentValue[] =>
  Object.entries(values).map(([name, value]) => ({ path: `${at}/${escaped(name)}`, in: where, name, value }));

export const sentValues = (request: HttpRequest): readonly SentValue[] => [
  ...pathNames(request.path).map((name) => ({ path: '/path', in: 'path' as const, name, value: { identifier: name } })),
  ...named('query', '/query', request.query),
  ...named('header', '/headers', request.headers),
  ...(request.body === undefined ? [] : inBody(request.body, '/body', '')),
  ...(request.graphql === undefined ? [] : inBody(request.graphql.variables, '/graphql/variables', '/variables')),
];

/** Identifiers that a value carries. */
export const identifiersIn = (value: RequestValue): readonly string[] => {
  if ('identifier' in value) return [value.identifier];
  return 'template' in value ? [...new Set(pathNames(value.template))] : [];
};

/** The places in which paging writes on the first page. */
export const firstPageSends = ({ paging }: HttpConnect): readonly SendPlace[] => {
  if (paging.kind === 'none') return [];
  const size = paging.pageSize === undefined ? [] : [paging.pageSize.send];
  return paging.kind === 'page' || paging.kind === 'offset' ? [paging.send, ...size] : size;
};

/** Whether the first request carries that parameter, with that value where one is named. */
export const isSent = (parameter: SentParameter, connect: HttpConnect): boolean => {
  const [where, name] =
    'query' in parameter
      ? (['query', parameter.query] as const)
      : 'header' in parameter
        ? (['header', parameter.header] as const)
        : (['body', parameter.body] as const);
  const isThere = (sent: string): boolean => sent === name || (where === 'body' && sent.startsWith(`${name}/`));
  const found = sentValues(connect.request).find((sent) => sent.in === where && isThere(sent.name));
  if (parameter.value !== undefined) return found !== undefined && 'value' in found.value && found.value.value === parameter.value;
  return found !== undefined || firstPageSends(connect).some((place) => place.in === where && place.name === name);
};
