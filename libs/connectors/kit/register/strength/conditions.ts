import { normaliserText } from '@lacuna/evidence';
import type { HttpConnect } from '../connect.js';
import type { DocumentSource, RegisterDocument } from '../register-document.js';
import { identifiersSent } from '../predicate.js';

export interface Condition {
  readonly path: string;
  readonly text: string;
}

/** Under which a clean read supports a no-match. Paths are below the source. */
export const conditionsOf = (register: RegisterDocument, source: DocumentSource): readonly Condition[] => [
  ...sight(source),
  ...time(source, register.clockSkewMaxMs),
  ...moving(register, source),
  ...trusted(source),
  ...(source.connect.type === 'http' ? answering(source.connect) : []),
];

const on = (holds: boolean, path: string, text: string): readonly Condition[] => (holds ? [{ path, text }] : []);

const sight = ({ attestation, hazards }: DocumentSource): readonly Condition[] => [
  attestation === undefined
    ? {
        path: '/attestation',
        text: 'nobody attests that the credential sees every record: records known to exist (controls, two or more) must have been found by the same path',
      }
    : { path: '/attestation', text: `${attestation.by} attests until ${attestation.until} that the credential sees every record` },
  ...hazards.flatMap(({ name, attestation: against }) =>
    against === null
      ? []
      : [{ path: `/attested/${name}`, text: `${against.by} attests until ${against.until} that ${name} does not happen` }],
  ),
];

const time = ({ lagMaxMs, recentExcludedMs }: DocumentSource, clockSkewMaxMs: number): readonly Condition[] => [
  ...on(
    lagMaxMs !== null && lagMaxMs > 0,
    '/lagMaxMs',
    `it can be ${lagMaxMs} ms behind: what it says holds up to ${(lagMaxMs ?? 0) + recentExcludedMs + clockSkewMaxMs} ms before the read began`,
  ),
  ...on(recentExcludedMs > 0, '/recentExcludedMs', `it leaves out the newest ${recentExcludedMs} ms`),
];

const DRIFT: Partial<Record<DocumentSource['drift'], string>> = {
  keyset: 'its order is on a unique key that never changes, and no column that can change is in the filter: taken on the contract’s word',
  documented: 'its cursor is stable under inserts and deletes: taken on the contract’s word',
  snapshot: 'every page carries the same snapshot id',
  overlap: 'each page repeats the last records of the page before, and they are the same',
  'second-pass': 'a second pass sees the same ids, page by page',
};

const keeping = ({ drift, orderKept }: DocumentSource): readonly Condition[] => {
  if (drift !== 'second-pass' && drift !== 'overlap') return [];
  if (orderKept === 'by-id')
    return [{ path: '/connect/order', text: 'its records come in the order of their ids, and none changes its place' }];
  return orderKept === undefined
    ? [{ path: '/orderKept', text: 'nobody attests that no record changes its place: it must fit on one page' }]
    : [{ path: '/orderKept', text: `${orderKept.by} attests until ${orderKept.until} that no record changes its place` }];
};

const moving = (register: RegisterDocument, source: DocumentSource): readonly Condition[] => {
  const text = source.method === 'enumeration' ? DRIFT[source.drift] : undefined;
  const accepted = register.acceptedDoubts.filter((doubt) => doubt.source === source.name);
  return [
    ...(text === undefined ? [] : [{ path: '/drift', text }, ...keeping(source)]),
    ...accepted.map(({ doubt, owner, until }) => ({
      path: '/drift',
      text: `${owner} accepts ${doubt} until ${until}; it stands on every receipt`,
    })),
  ];
};

const trusted = ({ connect, contract }: DocumentSource): readonly Condition[] =>
  identifiersSent(connect).flatMap((name) => {
    const comparison = contract.comparison[name];
    if (comparison === undefined || comparison.by === 'unknown') return [];
    const forms = comparison.normalise.length === 0 ? 'as it is' : `after ${comparison.normalise.map(normaliserText).join(', ')}`;
    return [
      { path: `/comparison/${name}`, text: `the source compares ${name} by ${comparison.by}, ${forms}: taken on the contract’s word` },
    ];
  });

const answering = (connect: HttpConnect): readonly Condition[] => [
  ...connect.caps.map(({ unit, value }, at) => ({
    path: `/connect/caps/${at}`,
    text: `fewer than ${value} (${unit}): there the source’s limit is touched`,
  })),
  ...(connect.paging.kind === 'cursor' || connect.paging.kind === 'url'
    ? on(
        connect.paging.lifetimeMs !== undefined,
        '/connect/paging/lifetimeMs',
        `each next page is asked for within ${connect.paging.lifetimeMs} ms`,
      )
    : []),
  ...on(
    connect.notFound === 'empty',
    '/connect/notFound',
    'a 404 to the first request never stands for "forbidden": taken on the contract’s word',
  ),
];
