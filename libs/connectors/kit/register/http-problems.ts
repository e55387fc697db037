/** Parts of an HTTP contract that contradict one another or promise more than they can hold. */
import type { AnswerFlag, HttpConnect, HttpPaging, SendPlace } from './connect.js';
import { formatProblem } from './format-bound.js';
import type { DocumentProblem } from './connect-problems.js';
import { unknownPathNames } from './predicate.js';
import type { DocumentSource } from './register-document.js';
import { identifiersIn, sentValues } from './sent-values.js';

type Rule = readonly [wrong: boolean, path: string, reason: string];

export const httpProblems = (source: DocumentSource, connect: HttpConnect, identifiers: readonly string[]): readonly DocumentProblem[] => {
  const rules = [
    ...endRules(connect),
    ...cursorRules(connect.paging),
    ...driftRules(source, connect),
    ...requestRules(connect, identifiers),
    ...connect.flags.map((flag, at): Rule => [saysNothing(flag), `/connect/flags/${at}`, NOTHING_CLEAN]),
    ...(connect.open?.flags ?? []).map((flag, at): Rule => [saysNothing(flag), `/connect/open/flags/${at}`, NOTHING_CLEAN]),
    ...[...connect.flags, ...(connect.open?.flags ?? [])].flatMap((flag) => sameAsSentRules(flag, connect, identifiers)),
  ];
  return rules.flatMap(([wrong, path, reason]) => (wrong ? [{ path, reason }] : []));
};

const NOTHING_CLEAN = 'says no value that is clean: clean, cleanWhenEmpty, sameAs, sameAsSent or members';

const saysNothing = ({ clean, cleanWhenEmpty, sameAs, sameAsSent, members }: AnswerFlag): boolean =>
  clean.length === 0 && !cleanWhenEmpty && sameAs === undefined && sameAsSent === undefined && members.length === 0;

const sameAsSentRules = ({ sameAsSent }: AnswerFlag, { request }: HttpConnect, identifiers: readonly string[]): readonly Rule[] => {
  if (sameAsSent === undefined) return [];
  if ('query' in sameAsSent)
    return [[!(sameAsSent.query in request.query), '/connect/flags', `${sameAsSent.query} is not a parameter of request.query`]];
  return [
    [!identifiers.includes(sameAsSent.identifier), '/connect/flags', `${sameAsSent.identifier} is not an identifier of this register`],
  ];
};

const goesBy = (paging: HttpPaging, ...kinds: readonly HttpPaging['kind'][]): boolean => kinds.includes(paging.kind);

const endRules = ({ paging, end, total }: HttpConnect): readonly Rule[] => {
  const has = (by: string): boolean => end.some((signal) => signal.by === by);
  const size = goesBy(paging, 'none') ? undefined : (paging as Extract<HttpPaging, { pageSize?: unknown }>).pageSize;
  const path = '/connect/end';
  return [
    [has('no-next-cursor') && !goesBy(paging, 'cursor', 'url'), path, 'no-next-cursor needs paging by cursor or url'],
    [has('unchanged-cursor') && !goesBy(paging, 'cursor', 'url'), path, 'unchanged-cursor needs paging by cursor or url'],
    [has('page-count') && !goesBy(paging, 'page'), path, 'page-count needs paging by page'],
    [has('single-answer') !== goesBy(paging, 'none'), path, 'single-answer goes with paging none, and only with it'],
    [has('total') && total === undefined, path, 'an end by total needs a total'],
    [
      has('short-page') && !goesBy(paging, 'none') && size === undefined,
      path,
      'short-page needs paging.pageSize: without it no page is known to be short',
    ],
    ...end.map((signal, at): Rule => [
      signal.by === 'short-page' && signal.pageSizeMax !== undefined && size !== undefined && size.size > signal.pageSizeMax,
      `${path}/${at}`,
      'paging asks for more than pageSizeMax, so that every page is short',
    ]),
  ];
};

const cursorRules = (paging: HttpPaging): readonly Rule[] => {
  if (paging.kind !== 'cursor' && paging.kind !== 'url') return [];
  const none = 'lacks noCursor: what stands in the place of the next cursor when there is none (of two layers, only what both say)';
  return [
    [paging.noCursor.length === 0, '/connect/paging', none],
    [
      paging.kind === 'url' && typeof paging.next === 'object' && 'lastRow' in paging.next,
      '/connect/paging/next',
      'a URL does not stand in a row',
    ],
  ];
};

const driftRules = ({ drift }: DocumentSource, { paging, snapshot, order }: HttpConnect): readonly Rule[] => {
  const overlap = paging.kind === 'offset' || paging.kind === 'cursor' ? paging.overlap : 0;
  return [
    [drift === 'single-response' && paging.kind !== 'none', '/drift', 'single-response needs paging none'],
    [drift === 'snapshot' && snapshot === undefined, '/drift', 'snapshot needs the place of a snapshot id on every page'],
    [drift === 'keyset' && goesBy(paging, 'page', 'offset'), '/drift', 'page numbers and offsets are no keyset'],
    [drift === 'overlap' && overlap < 1, '/drift', 'overlap needs paging by offset or cursor with overlap of at least 1'],
    [
      drift === 'overlap' && order === undefined,
      '/drift',
      'overlap needs an order by a key that never changes: without it rows can pass each other',
    ],
  ];
};

const requestRules = (connect: HttpConnect, identifiers: readonly string[]): readonly Rule[] => {
  const { request, open, confirm, close, paging } = connect;
  const sends = sendsOf(paging);
  const inPath = sends.filter((place) => place.in === 'path').map(({ name }) => name);
  const requests = [
    ['/connect/request', request, [...identifiers, ...inPath]],
    ...(open === undefined ? [] : [['/connect/open', open, identifiers] as const]),
    ...(confirm === undefined ? [] : [['/connect/confirm', confirm, identifiers] as const]),
    ...(close === undefined ? [] : [['/connect/close', close, identifiers] as const]),
  ] as const;
  return [
    ...requests.flatMap(([path, each, known]) => oneRequestRules(path, each, known)),
    ...inPath.map((name): Rule => [!request.path.includes(`{${name}}`), '/connect/request/path', `has no {${name}}, where paging is sent`]),
    ...takenPlaces(connect),
    ...openedRules(connect),
    [confirm !== undefined && open === undefined, '/connect/confirm', 'confirms what open took, and there is no open'],
    [
      request.method === 'GET' && sends.some((place) => place.in === 'body'),
      '/connect/paging',
      'is sent in the body, which a GET does not have',
    ],
  ];
};

const sendsOf = (paging: HttpPaging): readonly SendPlace[] => [
  ...(paging.kind === 'none' || paging.kind === 'url' ? [] : [paging.send]),
  ...(paging.kind === 'none' || paging.pageSize === undefined ? [] : [paging.pageSize.send]),
];

const oneRequestRules = (path: string, request: HttpConnect['request'], known: readonly string[]): readonly Rule[] => [
  [request.body !== undefined && request.graphql !== undefined, path, 'has both body and graphql'],
  [request.method === 'GET' && (request.body ?? request.graphql) !== undefined, `${path}/method`, 'a GET has no body'],
  ...unknownPathNames(request.path, known).map((name): Rule => [true, `${path}/path`, `{${name}} is not an identifier of this register`]),
  ...sentValues(request).flatMap(({ in: where, path: below, value }) => [
    ...(where === 'path' ? [] : identifiersIn(value)).map((name): Rule => [
      !known.includes(name),
      `${path}${below}`,
      `${name} is not an identifier of this register`,
    ]),
    ...('template' in value && value.unsafe !== undefined ? unsafeRules(`${path}${below}`, value.unsafe) : []),
  ]),
];

const unsafeRules = (path: string, unsafe: string): readonly Rule[] => {
  const problem = formatProblem(unsafe);
  return [[problem !== null, path, `unsafe: ${problem}`]];
};

/** What paging writes stands nowhere else. */
const takenPlaces = ({ paging, request }: HttpConnect): readonly Rule[] =>
  sendsOf(paging).flatMap((place): readonly Rule[] =>
    place.in === 'query'
      ? [[place.name in request.query, `/connect/request/query/${place.name}`, 'is set by paging']]
      : place.in === 'header'
        ? [[place.name in request.headers, `/connect/request/headers/${place.name}`, 'is set by paging']]
        : [],
  );

const openedRules = ({ request, open, confirm, close }: HttpConnect): readonly Rule[] => {
  const taken = Object.keys(open?.take ?? {});
  const retaken = Object.keys(open?.retake ?? {}).map((name): Rule => [
    !taken.includes(name),
    `/connect/open/retake/${name}`,
    `${name} is not taken by open`,
  ]);
  const sent = [
    ...sentValues(request).map((sent) => ['/connect/request', sent] as const),
    ...(confirm === undefined ? [] : sentValues(confirm).map((sent) => ['/connect/confirm', sent] as const)),
    ...(close === undefined ? [] : sentValues(close).map((sent) => ['/connect/close', sent] as const)),
  ].flatMap(([path, { path: below, value }]): readonly Rule[] =>
    'opened' in value ? [[!taken.includes(value.opened), `${path}${below}`, `${value.opened} is not taken by open`]] : [],
  );
  return [...retaken, ...sent];
};
