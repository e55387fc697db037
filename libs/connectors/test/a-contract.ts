/** A register of one source whose contract a spec writes, as a file would have it. */
import { parseRegisterFile, type ParseOptions, type RegisterFileResult } from '../kit/index.js';

export type Fields = Readonly<Record<string, unknown>>;

const AFTER = '2100-01-01T00:00:00.000Z';

/** A cursor with a flag, over an immutable key: what can support a no-match. */
export const aCursorContract: Fields = {
  request: { path: '/things', query: { account: { identifier: 'account' } } },
  items: '/items',
  record: { id: '/id', fields: { account: '/account', reference: '/reference' } },
  paging: { kind: 'cursor', send: 'cursor', pageSize: { send: 'limit', size: 10 }, next: '/next', noCursor: ['null'] },
  end: [{ by: 'no-next-cursor' }],
};

export const aSourceOf = (source: Fields = {}, connect: Fields = {}): Fields => ({
  name: 'things',
  method: 'enumeration',
  authority: 'original',
  lagMaxMs: 0,
  drift: 'keyset',
  comparison: { account: { by: 'equality' } },
  attestation: { by: 'ops', until: AFTER },
  ...source,
  connect: { type: 'http', url: { env: 'LACUNA_SOURCE_SPEC_URL' }, ...aCursorContract, ...connect },
});

export const aRegisterText = (source: Fields, more: Fields = {}): string =>
  JSON.stringify({
    name: 'things',
    version: '1',
    owner: { name: 'Desk', contact: 'desk@example.org' },
    identifiers: { account: { kind: 'scope', normalise: [] }, reference: { kind: 'key', normalise: ['trim'] } },
    freshnessMs: 600_000,
    policy: 'manual',
    sources: [source],
    ...more,
  });

export const parsedContract = (source: Fields, options: ParseOptions = {}): RegisterFileResult =>
  parseRegisterFile(aRegisterText(source), 'r.yaml', options);
