/** The register whose contract a model API keeps. */
import { parseRegisterFile, type RegisterDocument } from '../../kit/index.js';
import { aRegisterText, type Fields } from '../a-contract.js';
import type { Scenario } from './scenario.js';

const DOC = 'https://example.org/docs';
const FAR = '2100-01-01T00:00:00.000Z';

export const registerOf = (scenario: Scenario): RegisterDocument => {
  const text = aRegisterText(sourceOf(scenario), {
    identifiers: { key: { kind: 'key', normalise: ['case-fold'] }, part: { kind: 'key', normalise: [] } },
    status: { follow: ['merged'] },
    freshnessMs: 31_536_000_000,
    clockSkewMaxMs: 0,
    attempts: { attemptsMax: 1, elapsedMsMax: 60_000 },
    budget: { pagesMax: 60, recordsMax: 10_000, bytesMax: 1_000_000, elapsedMsMax: 60_000, ...BUDGET[scenario.budget] },
  });
  const parsed = parseRegisterFile(text, 'random.yaml', { allowWeak: true });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.register;
};

const BUDGET = {
  wide: {},
  pages: { pagesMax: 1 },
  records: { recordsMax: 2 },
  bytes: { bytesMax: 600 },
  time: { elapsedMsMax: 3 },
} as const;

const sourceOf = (scenario: Scenario): Fields => {
  const { kind, weakness } = scenario;
  return {
    name: 'model',
    method: weakness === 'approximate' ? 'approximate' : 'enumeration',
    authority: 'original',
    lagMaxMs: weakness === 'lag-unknown' ? null : weakness === 'lag-too-long' ? 3_600_000 : 0,
    drift: DRIFT[kind],
    ...(kind === 'offset' || kind === 'page' ? { orderKept: { by: 'desk', until: FAR } } : {}),
    ...(weakness === 'unattested' ? {} : { attestation: { by: 'desk', until: FAR } }),
    ...(weakness === 'narrower' ? { comparison: { key: { by: 'equality' } } } : {}),
    ...(weakness === 'hazard' ? { hazards: [{ name: 'cutoff', what: 'It may stop.', reason: 'timed-out' }] } : {}),
    ...(weakness === 'requires' ? { requires: [{ query: 'all', why: 'Some are left out.' }] } : {}),
    connect: connectOf(scenario),
  };
};

const DRIFT = {
  token: 'documented',
  'last-row': 'keyset',
  url: 'documented',
  snapshot: 'snapshot',
  overlap: 'overlap',
  offset: 'second-pass',
  page: 'second-pass',
  single: 'single-response',
  'offset-untested': 'none',
} as const;

const connectOf = (scenario: Scenario): object => {
  const { kind, weakness, total } = scenario;
  const ordered = kind !== 'offset' && kind !== 'page' && kind !== 'offset-untested';
  return {
    type: 'http',
    url: { env: 'MODEL_URL' },
    request: { path: '/list', query: queryOf(scenario) },
    items: '/items',
    record: { id: '/id', status: '/state', followTo: '/into', fields: { key: '/key', part: '/part' } },
    ...pagingOf(scenario),
    state: { path: '/state', finished: ['done'], running: ['running'], pollDelayMs: 10, pollsMax: 1 },
    flags: [
      { path: '/partial', clean: [false] },
      { path: '/timed_out', clean: [false], reason: 'timed-out' },
      { path: '/shards/successful', sameAs: '/shards/total', reason: 'sub-source-unreachable' },
      { path: '/asked', sameAsSent: { query: 'filter' }, reason: 'filter-not-applied' },
    ],
    errors: [{ path: '/error', reason: 'error-in-success' }],
    ...(ordered ? { order: { by: '/id', compare: 'number' } } : {}),
    ...(total ? { total: { path: '/total', relation: 'exact' } } : {}),
    ...(kind === 'snapshot' ? { snapshot: '/snapshot' } : {}),
    ...(weakness === 'cap' ? { caps: [{ unit: 'records', value: 3 }] } : {}),
    responseBytesMax: 16_384,
  };
};

const queryOf = ({ weakness }: Scenario): object => ({
  filter: 'all',
  ...(weakness === 'narrower' ? { key: { identifier: 'key' } } : {}),
  ...(weakness === 'unsafe' ? { q: { template: 'part:{part}', escape: 'none', unsafe: '-' } } : {}),
});

const pagingOf = ({ kind, size }: Scenario): object => {
  const short = (asked: number): object => ({ by: 'short-page', documentedAt: DOC, pageSizeMax: asked });
  switch (kind) {
    case 'token':
    case 'snapshot':
      return {
        paging: { kind: 'cursor', send: 'cursor', next: '/next', noCursor: ['null'] },
        end: [{ by: 'no-next-cursor' }, { by: 'flag', path: '/more', ends: [false], continues: [true] }],
      };
    case 'url':
      return { paging: { kind: 'url', next: '/next', noCursor: ['null'], keeps: [] }, end: [{ by: 'no-next-cursor' }] };
    case 'last-row':
      return {
        paging: { kind: 'cursor', send: 'cursor', next: { lastRow: '/id' } },
        end: [{ by: 'flag', path: '/more', ends: [false], continues: [true] }],
      };
    case 'single':
      return { paging: { kind: 'none' }, end: [{ by: 'single-answer', documentedAt: DOC }] };
    case 'page':
      return { paging: { kind: 'page', send: 'at', pageSize: { send: 'size', size } }, end: [short(size)] };
    case 'overlap':
      return { paging: { kind: 'offset', send: 'at', overlap: 1, pageSize: { send: 'size', size: size + 1 } }, end: [short(size + 1)] };
    default:
      return { paging: { kind: 'offset', send: 'at', pageSize: { send: 'size', size } }, end: [short(size)] };
  }
};
