import { describe, expect, it } from 'vitest';
import type { Schema } from '../schema/field.js';
import { contractSchema } from '../schema/contract-schema.js';
import { canonical, type Json, type MergeProblem } from './merge-rules.js';
import { CONNECT, SOURCE, mergeSource } from './merge-table.js';

const merge = (lower: Json, upper: Json): Json => mergeSource(lower, upper, { path: '', problems: [] });

/** A value at a dotted path. */
const stating = (path: string, value: Json): Json => path.split('.').reduceRight<Json>((inner, name) => ({ [name]: inner }), value);

const until = (year: number): Json => ({ by: 'ops', until: `${year}-01-01T00:00:00.000Z` });
const hazard = (name: string, more: object = {}): Json => ({ name, what: 'x', reason: 'partial-answer', ...more });

/** Field, the weaker statement, the stronger one, and what stands when it is not the weaker as it is. */
const CLAIMS: readonly (readonly [string, Json, Json, Json?])[] = [
  ['role', 'candidates', 'deciding'],
  ['method', 'approximate', 'enumeration'],
  ['method', 'approximate', 'exact-lookup'],
  ['authority', 'copy', 'original'],
  ['lagMaxMs', null, 60_000],
  ['lagMaxMs', 60_000, 0],
  ['recentExcludedMs', 60_000, 0],
  ['drift', 'none', 'upper-bound'],
  ['drift', 'upper-bound', 'second-pass'],
  ['drift', 'second-pass', 'overlap'],
  ['drift', 'overlap', 'documented'],
  ['drift', 'documented', 'keyset'],
  ['drift', 'keyset', 'snapshot'],
  ['drift', 'snapshot', 'single-response'],
  ['visibility', 'filtered-after-limit', 'unknown'],
  ['visibility', 'unknown', 'targets-dropped'],
  ['visibility', 'targets-dropped', 'filtered-before-limit'],
  ['visibility', 'filtered-before-limit', 'all-or-nothing'],
  ['comparison.account.by', 'unknown', 'equality'],
  ['comparison.account.by', 'fuzzy', 'contains'],
  ['comparison.account.normalise', ['trim'], ['trim', 'case-fold']],
  ['attestation', until(2027), until(2030)],
  ['attested.cutoff', until(2027), until(2030)],
  ['hazards', [hazard('a'), hazard('b')], [hazard('b')], [hazard('a'), hazard('b')]],
  ['hazards', [hazard('a')], [hazard('a', { liftedBy: { query: 'q' } })]],
  ['requires', [{ query: 'a', why: 'x' }], []],
  ['projection.required', true, false],
  ['optionalFields', [], ['instance']],
  ['connect.itemsAbsent', 'response-invalid', 'empty'],
  ['connect.notFound', 'source-unavailable', 'empty'],
  ['connect.noContent', 'response-invalid', 'empty'],
  ['connect.paging.noCursor', ['null'], ['null', 'absent']],
  ['connect.paging.noCursor', ['null'], [null, false], ['null']],
  ['connect.paging.cursorAtEnd', 'never', 'allowed'],
  ['connect.paging.lifetimeMs', 1_000, 60_000],
  ['connect.paging.replay', 'unknown', 'consuming'],
  ['connect.paging.replay', 'consuming', 'replayable'],
  ['connect.paging.samePath', true, false],
  ['connect.paging.keeps', ['a', 'b'], ['a']],
  ['connect.paging.overlap', 1, 0],
  ['connect.end', [{ by: 'total' }, { by: 'no-next-cursor' }], [{ by: 'no-next-cursor' }]],
  ['connect.total.relation', 'estimate', 'lower-bound'],
  ['connect.total.relation', 'lower-bound', 'exact'],
  ['connect.total.relationAt.exact', ['eq'], ['eq', 'eq2']],
  ['connect.total.saturatesAt', 201, 10_000],
  ['connect.total.counts', 'page', 'all'],
  ['connect.total.firstPageOnly', true, false],
  ['connect.total.optional', true, false],
  ['connect.total.countedBeforeAccess', true, false],
  ['connect.caps', [{ unit: 'records', value: 1_000 }], []],
  ['connect.flags', [{ path: '/partial', clean: [false] }], []],
  ['connect.open.flags', [{ path: '/partial', clean: [false] }], []],
  ['connect.errors', [{ status: [410], reason: 'cursor-expired' }], []],
  ['connect.retryAfter', [{ path: { header: 'retry-after' } }], []],
  ['connect.retries.retriesMax', 1, 3],
  ['connect.retries.delayMs', 1_000, 500],
  ['connect.rateLimit.requests', 1, 10],
  ['connect.rateLimit.perMs', 60_000, 1_000],
  ['connect.requestTimeoutMs', 500, 10_000],
  ['connect.responseBytesMax', 1_000, 1_000_000],
  ['connect.state.finished', [true], [true, 'done']],
  ['connect.state.pollsMax', 3, 30],
];

const WIRING = [
  'copyOf',
  'projection.name',
  'connect.type',
  'connect.url',
  'connect.auth',
  'connect.request.method',
  'connect.request.path',
  'connect.request.query.a',
  'connect.request.headers.a',
  'connect.request.body',
  'connect.request.graphql',
  'connect.open.take.pit',
  'connect.confirm.path',
  'connect.close.path',
  'connect.format',
  'connect.unwrap',
  'connect.state.path',
  'connect.items',
  'connect.record.id',
  'connect.record.fields.reference',
  'connect.paging.send',
  'connect.paging.pageSize.size',
  'connect.paging.next',
  'connect.paging.otherParameters',
  'connect.total.path',
  'connect.snapshot',
  'connect.order',
  'connect.watermark',
  'connect.byId',
  'connect.rateLimit.key',
];

const sorted = (value: Json): string => (Array.isArray(value) ? JSON.stringify([...value].map(canonical).sort()) : canonical(value));
const valueAt = (value: Json, path: string): Json => path.split('.').reduce((inner, name) => (inner as Record<string, Json>)[name]!, value);

describe('two layers that state the same', () => {
  // Each fails if the order of presets can talk a weakness of one of them away.
  it.each(CLAIMS.map(([path, weaker, stronger, outcome = weaker]) => ({ path, weaker, stronger, outcome })))(
    '$path: $weaker stands against $stronger, whoever says it',
    ({ path, weaker, stronger, outcome }) => {
      const [one, other] = [stating(path, weaker), stating(path, stronger)];
      expect(sorted(valueAt(merge(one, other), path))).toBe(sorted(outcome));
      expect(sorted(valueAt(merge(other, one), path))).toBe(sorted(outcome));
    },
  );

  // Fails if a source cannot say where things stand in its own API.
  it.each(WIRING)('%s is wiring: the later stands', (path) => {
    expect(valueAt(merge(stating(path, 'lower'), stating(path, 'upper')), path)).toBe('upper');
  });

  it('merge by name where names are given', () => {
    const [lower, upper] = [
      { connect: { request: { query: { a: '1', b: '2' } } } },
      { connect: { request: { query: { b: '3', c: '4' } } } },
    ];
    expect(merge(lower, upper)).toEqual({ connect: { request: { query: { a: '1', b: '3', c: '4' } } } });
  });

  // Fails if one of two ways to ask is silently taken for the other.
  it('cannot be both exact methods', () => {
    const problems: MergeProblem[] = [];
    mergeSource({ method: 'enumeration' }, { method: 'exact-lookup' }, { path: '', problems });
    expect(problems).toEqual([{ path: '/method', reason: 'says exact-lookup, where a layer below says enumeration' }]);
  });

  it('with another kind of paging keep only what a cursor and a URL have in common', () => {
    const cursor = { connect: { paging: { kind: 'cursor', send: 'c', next: '/n', noCursor: ['null', 'absent'], replay: 'consuming' } } };
    const url = { connect: { paging: { kind: 'url', next: { link: 'next' }, noCursor: ['absent'], replay: 'replayable' } } };
    expect(merge(cursor, url)).toEqual({
      connect: { paging: { kind: 'url', next: { link: 'next' }, noCursor: ['absent'], replay: 'consuming' } },
    });
    expect(merge(cursor, { connect: { paging: { kind: 'page', send: 'p' } } })).toEqual({
      connect: { paging: { kind: 'page', send: 'p' } },
    });
  });

  // Fails if a name of every object is taken for a field of a layer.
  it('may have members of any name', () => {
    const layer = JSON.parse('{"comparison":{"__proto__":{"by":"equality"},"constructor":{"by":"fuzzy"}}}') as Json;
    const merged = merge(layer, JSON.parse('{"comparison":{"constructor":{"by":"equality"}}}') as Json);
    expect(JSON.stringify(merged)).toBe('{"comparison":{"__proto__":{"by":"equality"},"constructor":{"by":"fuzzy"}}}');
  });
});

describe('the table of merging', () => {
  const propertiesOf = (schema: Schema): readonly string[] => [
    ...Object.keys((schema['properties'] ?? {}) as object),
    ...((schema['allOf'] ?? []) as readonly { then: Schema }[]).flatMap(({ then }) => propertiesOf(then)),
  ];

  // Fails if a new field of the language is merged by default, which may be the wrong way round.
  it('lists every field of a contract', () => {
    const beside = ['name', 'about', 'presets'];
    expect(
      propertiesOf(contractSchema)
        .filter((name) => !beside.includes(name))
        .sort(),
    ).toEqual(Object.keys(SOURCE).sort());
    const connect = (contractSchema['properties'] as Record<string, Schema>)['connect']!;
    const http = ((connect['allOf'] as readonly { then: Schema }[])[0] ?? { then: {} }).then;
    expect([...propertiesOf(http)].sort()).toEqual(Object.keys(CONNECT).sort());
    for (const name of ['request', 'open', 'confirm', 'close', 'state', 'record', 'total', 'retries', 'rateLimit']) {
      const fields = propertiesOf((http['properties'] as Record<string, Schema>)[name]!);
      const probe = Object.fromEntries(fields.map((field) => [field, 'lower']));
      expect(fields.length).toBeGreaterThan(0);
      expect(
        Object.keys(
          (merge({ connect: { [name]: probe } }, { connect: { [name]: probe } }) as { connect: Record<string, object> }).connect[name]!,
        ),
      ).toEqual(fields);
    }
    const stated = new Set([...CLAIMS.map(([path]) => path), ...WIRING].flatMap((path) => path.split('.')));
    const paging = (http['properties'] as Record<string, Schema>)['paging']!;
    const untested = propertiesOf(paging).filter((name) => !stated.has(name) && !['kind', 'first', 'pageSize'].includes(name));
    expect(untested).toEqual([]);
  });
});
