import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { aRegisterText, aSourceOf, type Fields } from '../../../test/a-contract.js';
import { parseRegisterFile, type RegisterFileResult } from '../parse-register-file.js';
import type { DocumentSource } from '../register-document.js';
import { strengthOf, type Strength } from '../strength/strength-of.js';

const PRESETS: Readonly<Record<string, Fields>> = {
  desk: {
    name: 'desk',
    about: { product: 'Example Desk', documentedAt: ['https://example.org/docs'] },
    visibility: 'filtered-before-limit',
    lagMaxMs: 60_000,
    hazards: [{ name: 'cutoff', what: 'x', reason: 'timed-out', liftedBy: { query: 'wait', value: 'all' } }],
    connect: {
      paging: { kind: 'cursor', send: 'after', next: '/meta/after', noCursor: ['absent'], pageSize: { send: 'limit', size: 50 } },
      end: [{ by: 'no-next-cursor' }],
      flags: [{ path: '/partial', clean: [false] }],
    },
  },
  'desk-search': { name: 'desk-search', presets: ['desk'], drift: 'none', connect: { caps: [{ unit: 'records', value: 1_000 }] } },
  round: { presets: ['about'] },
  about: { presets: ['round'] },
  wrong: { connect: { paging: { kind: 'cursor', sendd: 'x' }, nothing: 1 }, drift: 'stable' },
  'half-wrong': {
    connect: { paging: { kind: 'cursor', send: 'c', next: '/n', noCursor: ['null'] }, end: [{ by: 'single-answer', documentedAt: 'x' }] },
  },
};

const texts = (name: string): string | null => (Object.hasOwn(PRESETS, name) ? stringify(PRESETS[name]) : null);

const parsed = (source: Fields, allowWeak = true): RegisterFileResult =>
  parseRegisterFile(aRegisterText(source), 'r.yaml', { presets: texts, allowWeak });

const sourceOf = (source: Fields): DocumentSource => {
  const result = parsed(source);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.register.sources[0]!;
};

const problemsOf = (source: Fields): readonly string[] => {
  const result = parsed(source);
  return result.ok ? [] : result.problems.map(({ path, reason }) => `${path} ${reason}`);
};

const own = { request: { path: '/things' }, items: '/data', record: { id: '/id', fields: { reference: '/reference' } } };
/** A source that says nothing of how a read continues. */
const bare = (more: Fields = {}, connect: Fields = {}): Fields => ({
  ...aSourceOf({ drift: 'keyset', comparison: {}, ...more }),
  connect: { url: { env: 'X' }, ...own, ...connect },
});

describe('presets', () => {
  it('are merged in, with their own presets below them, and written out', () => {
    const source = sourceOf(bare({ presets: ['desk-search'] }));
    expect(source).toMatchObject({
      drift: 'none',
      visibility: 'filtered-before-limit',
      lagMaxMs: 60_000,
      hazards: [{ name: 'cutoff', reason: 'timed-out', attestation: null }],
      contract: { presets: ['desk-search'] },
      connect: {
        type: 'http',
        items: '/data',
        paging: { kind: 'cursor', send: { in: 'query', name: 'after' }, replay: 'unknown' },
        caps: [{ unit: 'records', value: 1_000, overflow: 'silent-stop' }],
        flags: [{ path: '/partial', reason: 'partial-answer', required: true }],
      },
    });
  });

  it('may stand in the register itself', () => {
    const layer = { connect: { caps: [{ unit: 'pages', value: 10 }] } };
    expect(sourceOf(bare({ presets: ['desk', layer] }))).toMatchObject({
      contract: { presets: ['desk'] },
      connect: { caps: [{ unit: 'pages', value: 10 }] },
    });
  });

  it('leave what the source sends to it, and are answered by what it attests', () => {
    const attested = { cutoff: { by: 'ops', until: '2100-01-01T00:00:00.000Z' } };
    expect(sourceOf(bare({ presets: ['desk'], attested })).hazards).toMatchObject([{ attestation: { by: 'ops' } }]);
    expect(sourceOf(bare({ presets: ['desk'] }, { request: { path: '/things', query: { wait: 'all' } } })).hazards).toEqual([]);
  });

  // Each fails if a person is sent to a line of their file for what stands in a preset, or gets no name at all.
  it.each<[string, Fields, string]>([
    ['that does not exist', bare({ presets: ['dusk'] }), '/sources/0/presets/0 there is no preset dusk'],
    ['that layers itself', bare({ presets: ['round'] }), '/sources/0/presets/0 preset round is layered on itself: round > about > round'],
    ['with an unknown field', bare({ presets: ['desk', 'wrong'] }), '/sources/0/presets/1 preset wrong: /connect/nothing is no field'],
    ['with an unknown value', bare({ presets: ['wrong'] }), '/sources/0/presets/0 preset wrong: /drift must be one of none'],
    [
      'with an unknown field of its paging',
      bare({ presets: ['wrong'] }),
      '/sources/0/presets/0 preset wrong: /connect/paging/sendd is no field',
    ],
    [
      'that contradicts itself',
      bare({ presets: ['half-wrong'] }),
      '/sources/0/connect/end single-answer goes with paging none, and only with it (preset half-wrong)',
    ],
    ['that is none', bare({ presets: [3] }), '/sources/0/presets/0 is neither'],
    [
      'of the other exact method',
      bare({ presets: [{ method: 'exact-lookup' }] }),
      '/sources/0/method says enumeration, where a layer below says exact-lookup',
    ],
    ['beside a mistake of the source', bare({ presets: ['desk'] }, { itemz: '/x' }), '/sources/0/connect/itemz is no field of a register'],
    ['more than are layered', bare({ presets: Array.from({ length: 9 }, () => 'desk') }), '/sources/0/presets more than 8 presets'],
  ])('%s are named', (_name, source, problem) => {
    const problems = problemsOf(source);
    expect(problems.find((each) => each.startsWith(problem)) ?? problems.join('\n')).toContain(problem);
  });

  // Fails if the order of two layers decides whether a required parameter is right.
  it('cannot put right a required value that another layer sends otherwise', () => {
    const requiring = { requires: [{ query: 'partial', value: 'false', why: 'x' }], connect: { request: { query: { partial: 'false' } } } };
    const spoiling = { connect: { request: { query: { partial: true } } } };
    for (const presets of [
      ['desk', requiring, spoiling],
      ['desk', spoiling, requiring],
    ])
      expect(sourceOf(bare({ presets })).contractDoubts).toEqual(['scope-unverified']);
    expect(sourceOf(bare({ presets: ['desk', requiring] })).contractDoubts).toEqual([]);
  });
});

/** Statements of a layer that are claims, not wiring. */
const aLayer: fc.Arbitrary<Fields> = fc.record(
  {
    lagMaxMs: fc.constantFrom(null, 0, 1_000),
    recentExcludedMs: fc.constantFrom(0, 60_000),
    drift: fc.constantFrom('none', 'upper-bound', 'second-pass', 'documented', 'keyset'),
    visibility: fc.constantFrom('unknown', 'filtered-after-limit', 'targets-dropped', 'filtered-before-limit', 'all-or-nothing'),
    comparison: fc.record({
      account: fc.record({
        by: fc.constantFrom('equality', 'contains', 'tokens', 'fuzzy', 'unknown'),
        normalise: fc.constantFrom([], ['trim']),
      }),
    }),
    hazards: fc.constantFrom([], [{ name: 'a', what: 'x', reason: 'timed-out' }], [{ name: 'b', what: 'x', reason: 'partial-answer' }]),
    requires: fc.constantFrom([], [{ query: 'account', why: 'x' }], [{ query: 'absent', why: 'x' }]),
    connect: fc.record(
      {
        caps: fc.constantFrom([], [{ unit: 'records', value: 10 }]),
        flags: fc.constantFrom([], [{ path: '/p', clean: [false] }], [{ path: '/p', clean: [false, null] }]),
        end: fc.constantFrom([{ by: 'no-next-cursor' }], [{ by: 'empty-page', documentedAt: 'x' }], [{ by: 'total' }]),
        total: fc.record({
          path: fc.constant('/total'),
          relation: fc.constantFrom('exact', 'estimate', 'lower-bound'),
          counts: fc.constantFrom('all', 'page'),
          countedBeforeAccess: fc.boolean(),
        }),
        notFound: fc.constantFrom('empty', 'source-unavailable'),
        paging: fc.record({
          replay: fc.constantFrom('replayable', 'consuming', 'unknown'),
          cursorAtEnd: fc.constantFrom('never', 'allowed'),
        }),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);

/** Says everything that a layer may weaken, so that a layer adds no statement of its own. */
const whole = (presets: readonly Fields[]): Fields => ({
  ...aSourceOf({
    recentExcludedMs: 0,
    visibility: 'all-or-nothing',
    presets,
    comparison: { account: { by: 'contains', normalise: ['trim'] } },
  }),
});

const strength = (source: Fields): Strength | null => {
  const result = parsed(source);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return strengthOf(result.register, 'things');
};

const weaknesses = (source: Fields): readonly string[] =>
  (strength(source)?.obstacles ?? []).map(({ path, doubt }) => `${path.replace(/\/\d+$/, '')} ${doubt}`).sort();
const total = { connect: { total: { path: '/total', relation: 'exact' } } };

describe('a layer', () => {
  // Fails if naming one more preset can make a source believe more.
  it('never makes a source stronger', () => {
    fc.assert(
      fc.property(aLayer, aLayer, (one, other) => {
        const [without, withIt] = [weaknesses(whole([total, one])), weaknesses(whole([total, one, other]))];
        const lost = without.filter((weakness) => !withIt.includes(weakness));
        // An end by one more signal is the stronger for it: every signal must agree. Only what the ends say may then be gone.
        expect(lost.filter((weakness) => !weakness.startsWith('/sources/0/connect/end'))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  // Fails if the order in which presets are named decides what is believed.
  it('weighs the same in whatever order', () => {
    fc.assert(
      fc.property(aLayer, aLayer, (one, other) => {
        expect(weaknesses(whole([total, one, other]))).toEqual(weaknesses(whole([total, other, one])));
      }),
      { numRuns: 500 },
    );
  });

  it('merged with itself changes nothing', () => {
    fc.assert(
      fc.property(aLayer, (layer) => {
        expect({ ...sourceOf(whole([total, layer, layer])), contract: null }).toEqual({
          ...sourceOf(whole([total, layer])),
          contract: null,
        });
      }),
      { numRuns: 300 },
    );
  });
});
