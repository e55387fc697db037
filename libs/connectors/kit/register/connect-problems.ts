/** What the schema cannot say of the sources' `connect` sections: parts that contradict one another or promise more than they can hold. */
import type { HttpConnect, PostgresConnect } from './connect.js';
import { formatProblem } from './format-bound.js';
import type { DocumentSource, RegisterDocument } from './register-document.js';

export interface DocumentProblem {
  /** JSON Pointer into the register. */
  readonly path: string;
  readonly reason: string;
}

export const connectProblems = (register: RegisterDocument): readonly DocumentProblem[] => [
  ...Object.entries(register.identifiers).flatMap(([name, rule]) => {
    const reason = rule.format === undefined ? null : formatProblem(rule.format);
    return reason === null ? [] : [{ path: `/identifiers/${name}/format`, reason }];
  }),
  ...register.sources.flatMap((source, at) => {
    const base = `/sources/${at}`;
    const { connect } = source;
    const own = connect.type === 'http' ? httpProblems(source, connect) : postgresProblems(source, connect);
    return [...fieldProblems(register, source), ...own].map(({ path, reason }) => ({ path: `${base}${path}`, reason }));
  }),
];

const fieldProblems = (register: RegisterDocument, { connect, optionalFields }: DocumentSource): DocumentProblem[] => {
  const [path, fields] = connect.type === 'http' ? ['/connect/record/fields', connect.record.fields] : ['/connect/fields', connect.fields];
  const known = Object.keys(register.identifiers);
  const keys = known.filter((name) => register.identifiers[name]?.kind === 'key');
  return [
    ...keys.filter((key) => !(key in fields)).map((key) => ({ path, reason: `the key ${key} has no place` })),
    ...Object.keys(fields).flatMap((name) =>
      known.includes(name) ? [] : [{ path: `${path}/${name}`, reason: 'not an identifier of this register' }],
    ),
    ...optionalFields.flatMap((name, at) =>
      known.includes(name) ? [] : [{ path: `/optionalFields/${at}`, reason: 'not an identifier of this register' }],
    ),
    ...askedFor(connect).flatMap(([parameter, name]) =>
      known.includes(name)
        ? []
        : [{ path: `/connect/request/query/${parameter}`, reason: `${name} is not an identifier of this register` }],
    ),
  ];
};

const askedFor = (connect: DocumentSource['connect']): (readonly [string, string])[] =>
  connect.type === 'http'
    ? Object.entries(connect.request.query).flatMap(([parameter, value]) =>
        'identifier' in value ? [[parameter, value.identifier] as const] : [],
      )
    : [];

const httpProblems = (source: DocumentSource, connect: HttpConnect): DocumentProblem[] => {
  const { paging, end } = connect;
  const counted = paging.kind === 'page' || paging.kind === 'offset';
  const rules: readonly (readonly [boolean, string, string])[] = [
    [end.some(({ by }) => by === 'no-next-cursor') && paging.kind !== 'cursor', '/connect/end', 'no-next-cursor needs paging by cursor'],
    [
      end.some(({ by }) => by === 'single-answer') !== (paging.kind === 'none'),
      '/connect/end',
      'single-answer goes with paging none, and only with it',
    ],
    [end.some(({ by }) => by === 'total') && connect.total?.relation !== 'exact', '/connect/end', 'an end by total needs an exact total'],
    [
      paging.kind === 'cursor' && end.every(({ by }) => by === 'total' || by === 'short-page'),
      '/connect/end',
      'total or short-page over a cursor proves no end: say no-next-cursor or a flag too',
    ],
    [source.drift === 'single-response' && paging.kind !== 'none', '/drift', 'single-response needs paging none'],
    [source.drift === 'snapshot' && connect.snapshot === undefined, '/drift', 'snapshot needs the place of a snapshot id on every page'],
    [source.drift === 'keyset' && counted, '/drift', 'page numbers and offsets are no keyset'],
    ...connect.flags.map(
      ({ clean, cleanWhenEmpty }, at) =>
        [clean.length === 0 && !cleanWhenEmpty, `/connect/flags/${at}`, 'says no value that is clean: clean or cleanWhenEmpty'] as const,
    ),
    ...takenParameters(connect).map((name) => [true, `/connect/request/query/${name}`, 'is set by paging'] as const),
  ];
  return rules.flatMap(([wrong, path, reason]) => (wrong ? [{ path, reason }] : []));
};

const takenParameters = ({ paging, request }: HttpConnect): string[] =>
  paging.kind === 'none' ? [] : [paging.parameter, paging.sizeParameter].filter((name) => name in request.query);

const postgresProblems = (source: DocumentSource, _connect: PostgresConnect): DocumentProblem[] => [
  ...(source.method === 'approximate' ? [{ path: '/method', reason: 'a table is read by exact-lookup or enumeration' }] : []),
  ...(source.drift === 'snapshot' ? [] : [{ path: '/drift', reason: 'a table is read in one snapshot: say snapshot' }]),
];
