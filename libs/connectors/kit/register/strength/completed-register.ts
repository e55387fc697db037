/** The least register around a contract that stands alone, so that its strength can be computed as that of any other. */
import { isObject, type Json, type JsonObject } from '../layers/merge-rules.js';
import { mergeSource } from '../layers/merge-table.js';

const YEAR_MS = 31_536_000_000;
const MISSING_NAME = 'key';

const at = (fields: Json | undefined, ...names: readonly string[]): Json | undefined =>
  names.reduce<Json | undefined>((value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined), fields);

const EXPECTED = [
  'method',
  'authority',
  'lagMaxMs',
  'connect.request.path',
  'connect.items',
  'connect.record.id',
  'connect.record.fields',
  'connect.paging',
  'connect.end',
];

/** What every source must say and this contract does not. */
export const leftToTheRegister = (contract: JsonObject): readonly string[] =>
  EXPECTED.filter((path) => at(contract, ...path.split('.')) === undefined);

/** Names of identifiers that stand anywhere in it: a template's and a path's names are put in braces, a value's in `identifier`. */
const identifierNames = (value: Json | undefined, path = ''): readonly string[] => {
  if (typeof value === 'string') {
    if (path.endsWith('/identifier') || path.endsWith('/$identifier')) return [value];
    const inBraces = /\/(template|\$template|path)$/.test(path) ? [...value.matchAll(/\{([a-z][a-z0-9-]*)\}/g)] : [];
    return inBraces.map(([, name]) => name ?? '');
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => identifierNames(each as Json, `${path}/${name}`));
};

const namesIn = (contract: JsonObject): readonly string[] => {
  const requests = ['request', 'open', 'confirm', 'close'].flatMap((name) => identifierNames(at(contract, 'connect', name)));
  const named = [at(contract, 'comparison'), at(contract, 'connect', 'record', 'fields')].flatMap((names) =>
    Object.keys(isObject(names) ? names : {}),
  );
  const flags = identifierNames(at(contract, 'connect', 'flags'));
  const sends = identifierNamesOfPaging(contract);
  const all = [...new Set([...requests, ...named, ...flags])].filter((name) => name !== '' && name !== 'id' && !sends.includes(name));
  return all.length === 0 ? [MISSING_NAME] : all;
};

/** What paging puts into the path is no identifier. */
const identifierNamesOfPaging = (contract: JsonObject): readonly string[] => {
  const places = [at(contract, 'connect', 'paging', 'send'), at(contract, 'connect', 'paging', 'pageSize', 'send')];
  return places.flatMap((place) => (isObject(place) && place['in'] === 'path' && typeof place['name'] === 'string' ? [place['name']] : []));
};

/** Below the contract: what it says itself stands. */
const least = (contract: JsonObject, names: readonly string[]): JsonObject => {
  const isHttp = at(contract, 'connect', 'type') !== 'postgres';
  const single = { paging: { kind: 'none' }, end: [{ by: 'single-answer', documentedAt: 'left to the register' }] };
  const continues = at(contract, 'connect', 'paging') !== undefined;
  const ends = at(contract, 'connect', 'end') !== undefined;
  return {
    name: 'contract',
    ...(at(contract, 'method') === undefined ? { method: 'enumeration' } : {}),
    ...(at(contract, 'authority') === undefined ? { authority: 'original' } : {}),
    ...(at(contract, 'lagMaxMs') === undefined ? { lagMaxMs: 0 } : {}),
    connect: !isHttp
      ? { type: 'postgres', url: { env: 'LEFT_TO_THE_REGISTER' } }
      : {
          type: 'http',
          url: { env: 'LEFT_TO_THE_REGISTER' },
          request: { path: '/' },
          items: '',
          record: { id: '/id', fields: Object.fromEntries(names.map((name) => [name, `/${name}`])) },
          ...(continues || ends ? {} : single),
          ...(continues && !ends ? { end: [{ by: 'empty-page', documentedAt: 'left to the register' }] } : {}),
        },
  };
};

export const completedRegister = (contract: JsonObject): JsonObject => {
  const names = namesIn(contract);
  const source = mergeSource(least(contract, names), contract, { path: '', problems: [] });
  return {
    name: 'contract',
    version: '1',
    owner: { name: 'nobody', contact: 'nobody' },
    identifiers: Object.fromEntries(names.map((name) => [name, { kind: 'key', normalise: [] }])),
    freshnessMs: YEAR_MS * 100,
    policy: 'manual',
    sources: [isObject(source) ? { ...source, presets: [] } : source],
  };
};
