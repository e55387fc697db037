import { describe, expect, it } from 'vitest';
import { aRegisterText, aSourceOf, parsedContract, type Fields } from '../../../test/a-contract.js';
import { parseRegisterFile } from '../parse-register-file.js';
import { strengthOf, type Strength } from './strength-of.js';

const strength = (source: Fields): Strength => {
  const parsed = parsedContract(source, { allowWeak: true });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return strengthOf(parsed.register, 'things')!;
};

const paged = (end: readonly Fields[], more: Fields = {}): Fields => ({
  paging: { kind: 'page', send: 'page', pageSize: { send: 'limit', size: 10 } },
  end,
  ...more,
});
const emptyPage = { by: 'empty-page', documentedAt: 'x' };
const shortPage = { by: 'short-page', documentedAt: 'x', pageSizeMax: 10 };
const exact = { path: '/total', relation: 'exact' };
const hazard = { name: 'cutoff', what: 'x', reason: 'timed-out', liftedBy: { query: 'wait', value: 'all' } };
const asking = (query: Fields): Fields => ({ request: { path: '/things', query: { account: { identifier: 'account' }, ...query } } });
const needs = [{ query: 'partial', value: 'false', why: 'Else shards are missing.' }];
const fields = { name: 'fields', contains: ['nextPageToken', 'incomplete'] };

/** Every way in which a contract is too weak: what it is called, the source, the connect section, where, and the doubt. */
const WEAK: readonly (readonly [string, Fields, Fields, string, string])[] = [
  ['an approximate method', { method: 'approximate' }, {}, '/method', 'method-approximate'],
  ['a filter of which nothing is known', { comparison: {} }, {}, '/comparison', 'predicate-narrower'],
  ['a filter by tokens', { comparison: { account: { by: 'tokens' } } }, {}, '/comparison', 'predicate-narrower'],
  [
    'a filter that normalises less',
    { comparison: { account: { by: 'equality' } } },
    asking({ r: { identifier: 'reference' } }),
    '/comparison',
    'predicate-narrower',
  ],
  ['a lag without bound', { lagMaxMs: null }, {}, '/lagMaxMs', 'replica-lag-unknown'],
  ['drift', { drift: 'none' }, {}, '/drift', 'drift-possible'],
  ['an upper bound alone', { drift: 'upper-bound' }, {}, '/drift', 'drift-possible'],
  ['a hazard', { hazards: [hazard] }, {}, '/hazards', 'timed-out'],
  ['a hazard whose parameter has another value', { hazards: [hazard] }, asking({ wait: 'some' }), '/hazards', 'timed-out'],
  ['a required parameter that is not sent', { requires: needs }, {}, '/requires/0', 'scope-unverified'],
  ['a required parameter with another value', { requires: needs }, asking({ partial: 'true' }), '/requires/0', 'scope-unverified'],
  ['a required member of a body that is not sent', { requires: [{ body: '/track', why: 'x' }] }, {}, '/requires/0', 'scope-unverified'],
  ['a projection without its fields', { projection: fields }, asking({ fields: 'items,incomplete' }), '/projection', 'scope-unverified'],
  ['a projection that is needed and not sent', { projection: { ...fields, required: true } }, {}, '/projection', 'scope-unverified'],
  [
    'an end by an empty page of which rows were dropped',
    { drift: 'second-pass', visibility: 'filtered-after-limit' },
    paged([emptyPage]),
    '/connect/end',
    'visibility-limited',
  ],
  [
    'an end by a short page of which rows were dropped',
    { drift: 'second-pass', visibility: 'filtered-after-limit' },
    paged([shortPage]),
    '/connect/end',
    'visibility-limited',
  ],
  [
    'a cursor of the last row, which is absent on a page of which all rows were dropped',
    { visibility: 'filtered-after-limit' },
    { paging: { kind: 'cursor', send: 'after', next: { lastRow: '/id' } }, end: [{ by: 'no-next-cursor' }] },
    '/connect/end',
    'visibility-limited',
  ],
  [
    'an end by a total before access',
    { drift: 'second-pass' },
    paged([{ by: 'total' }], { total: { ...exact, countedBeforeAccess: true } }),
    '/connect/end',
    'visibility-limited',
  ],
  [
    'an end by an estimate',
    { drift: 'second-pass' },
    paged([{ by: 'total' }], { total: { ...exact, relation: 'estimate' } }),
    '/connect/end',
    'metadata-missing',
  ],
  [
    'an end by a total of the page',
    { drift: 'second-pass' },
    paged([{ by: 'total' }], { total: { ...exact, counts: 'page' } }),
    '/connect/end',
    'metadata-missing',
  ],
  ['a total alone over a cursor', {}, { end: [{ by: 'total' }], total: exact }, '/connect/end', 'metadata-missing'],
  ['a short page alone over a cursor', {}, { end: [{ by: 'short-page', documentedAt: 'x' }] }, '/connect/end', 'metadata-missing'],
];

describe('the strength of a contract', () => {
  it('is enough for a no-match where nothing stands against it', () => {
    expect(strength(aSourceOf())).toMatchObject({ canSupport: true, obstacles: [] });
  });

  // Each fails if a contract is believed that cannot carry a no-match, or if the core relies on the loader: the doubt must stand in the rule.
  it.each(WEAK)('is not enough with %s: refused when loaded, and its doubt is in the rule', (_name, source, connect, path, doubt) => {
    const written = aSourceOf(source, connect);
    const refused = parsedContract(written);
    expect(refused.ok ? [] : refused.problems.map(({ kind }) => kind)).toContain('never-supports');
    const { canSupport, obstacles } = strength(written);
    expect(canSupport).toBe(false);
    expect(obstacles.map((each) => [each.path, each.doubt])).toContainEqual([`/sources/0${path}`, doubt]);
    const parsed = parsedContract(written, { allowWeak: true });
    const [rule] = parsed.ok ? parsed.register.sources : [];
    const byField = {
      method: rule?.method === 'approximate',
      comparison: rule?.predicate === 'narrower' || rule?.predicate === 'unknown',
      lagMaxMs: rule?.lagMaxMs === null,
      drift: rule?.drift === 'none' || rule?.drift === 'upper-bound',
      hazards: rule?.hazards.some(({ attestation, reason }) => attestation === null && reason === doubt),
    };
    expect(byField[path.slice(1) as keyof typeof byField] ?? rule?.contractDoubts.includes(doubt as never)).toBe(true);
  });

  // Each fails if a sound contract is refused: people switch off strict guards.
  it.each<[string, Fields, Fields]>([
    ['a hazard that what is sent takes away', { hazards: [hazard] }, asking({ wait: 'all' })],
    ['a hazard that is attested', { hazards: [hazard], attested: { cutoff: { by: 'ops', until: '2100-01-01T00:00:00.000Z' } } }, {}],
    ['a required parameter that is sent', { requires: needs }, asking({ partial: false })],
    ['a required parameter that paging sends', { requires: [{ query: 'limit', why: 'x' }] }, {}],
    ['a projection with its fields', { projection: fields }, asking({ fields: 'items(id),nextPageToken,incomplete' })],
    ['a projection that is not used', { projection: fields }, {}],
    [
      'an empty page beside a flag of which rows were dropped',
      { visibility: 'filtered-after-limit', drift: 'second-pass' },
      paged([emptyPage, { by: 'flag', path: '/more', ends: [false], continues: [true] }]),
    ],
    [
      'an end by a total that the answer calls exact',
      { drift: 'second-pass' },
      paged([{ by: 'total' }], { total: { ...exact, relation: 'lower-bound', relationAt: { path: '/relation', exact: ['eq'] } } }),
    ],
    ['a short page over a cursor with the greatest page size', {}, { end: [shortPage] }],
    [
      'one answer, whatever is said of drift',
      { drift: 'none' },
      { paging: { kind: 'none' }, end: [{ by: 'single-answer', documentedAt: 'x' }] },
    ],
    [
      'a filter that normalises as the identifier',
      { comparison: { account: { by: 'equality' }, reference: { by: 'contains', normalise: ['trim'] } } },
      asking({ r: { identifier: 'reference' } }),
    ],
  ])('is enough with %s', (_name, source, connect) => {
    expect(strength(aSourceOf(source, connect)).obstacles).toEqual([]);
  });

  it('is none of a source that does not decide', () => {
    const sources = [aSourceOf(), aSourceOf({ name: 'other', role: 'candidates' })];
    const parsed = parseRegisterFile(aRegisterText({}, { sources }), 'r.yaml');
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
    expect(strengthOf(parsed.register, 'other')?.canSupport).toBe(false);
    expect(strengthOf(parsed.register, 'none')).toBeNull();
  });
});
