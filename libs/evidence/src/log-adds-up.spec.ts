/** What the log of one source must hold before its end is believed, and what each rule of a source leaves open. */
import { describe, expect, it } from 'vitest';
import {
  aGeneration,
  aRegister,
  aRow,
  aSource,
  anAmbiguousRow,
  at,
  cleanRead,
  codesOf,
  DECIDED_AT,
  decideOn,
  evidenceOf,
  LONG_AFTER,
  sha,
  type SourcePlan,
} from '../test/builders.js';
import { decide } from './decide.js';
import type { Decision, Evidence } from './decision.js';
import type { PageFacts } from './facts.js';
import type { Register, SourceRule } from './register.js';

const evidence = (plan: SourcePlan = cleanRead('crm', [{}, {}, {}])): Evidence => evidenceOf(aGeneration(aRegister(), [plan]));
const codes = (seen: Evidence, register: Register = aRegister()): readonly string[] => codesOf(decide(seen, register, DECIDED_AT));
const withPages = (seen: Evidence, change: (page: PageFacts, at: number) => PageFacts): Evidence => ({
  ...seen,
  pages: seen.pages.map(change),
});
const crm = (over: Partial<SourceRule>): Register => aRegister({ sources: [aSource(over)] });
const on = (over: Partial<SourceRule>, pages: readonly Partial<PageFacts>[] = [{}, {}]): readonly string[] =>
  codesOf(decideOn(crm(over), [cleanRead('crm', pages)]));

const ENDED = ['crm:end-signalled'];
const INCOMPLETE = ['crm:evidence-incomplete'];

describe('the pages of a source', () => {
  it('add up in whatever order they were logged', () => {
    const seen = evidence();
    expect(codes({ ...seen, pages: [...seen.pages].reverse() })).toEqual(ENDED);
  });

  // Fails if the chain is taken for whole because its last page is right: the page between may have held the match.
  it('do not where one names another page before it, although its own hash is right', () => {
    expect(codes(withPages(evidence(), (page, n) => (n === 1 ? { ...page, previousHash: sha('another') } : page)))).toEqual(INCOMPLETE);
  });

  it('do not where one is left out, or the same one stands twice', () => {
    const seen = evidence();
    expect(codes({ ...seen, pages: seen.pages.filter((_, n) => n !== 1) })).toEqual(INCOMPLETE);
    expect(codes({ ...seen, pages: [...seen.pages, ...seen.pages.slice(2)] })).toEqual(INCOMPLETE);
  });

  it('do not where search.ended speaks of their source twice', () => {
    const seen = evidence();
    const sources = seen.ended?.sources ?? [];
    expect(codes({ ...seen, ended: { sources: [...sources, ...sources] } })).toContain('crm:evidence-incomplete');
  });

  // Fails if a page of an attempt that failed may be lost: it may have held the match.
  it('are all there, of all attempts', () => {
    const failed = { pages: [{}], ends: false };
    const plan = (pagesOfAllAttempts: number | null, attempts = 2): SourcePlan => ({
      source: 'crm',
      attempts: [failed, { pages: [{}] }],
      ended: { pagesOfAllAttempts, attempts },
    });
    expect([2, 1, 3].map((known) => codes(evidence(plan(known))))).toEqual([ENDED, ENDED, INCOMPLETE]);
    expect(codes(evidence(plan(null, 1)))).toEqual(INCOMPLETE);
    expect(codes(evidence({ ...cleanRead('crm'), ended: { pagesOfAllAttempts: null } }))).toEqual(ENDED);
    expect(codes(evidence({ ...cleanRead('crm'), ended: { pagesOfAllAttempts: null, attempts: 2 } }))).toEqual(INCOMPLETE);
  });

  it.each<[string, readonly Partial<PageFacts>[]]>([
    ['the last goes on', [{}, { end: 'continues' }]],
    ['the last says nothing of a stop', [{}, { stop: null }]],
    ['the last stopped at something else', [{}, { stop: 'cap-reached' }]],
    ['an earlier one signals the end', [{ end: 'signalled' }, {}]],
    ['an earlier one is unclear', [{ end: 'unclear' }, {}]],
    ['a second pass comes before the first', [{ pass: 2 }, { pass: 1 }]],
    ['a second pass begins where the first had not ended', [{}, { pass: 2 }]],
  ])('are no end where %s', (_why, pages) => {
    expect(on({}, pages)).toContain('crm:evidence-incomplete');
  });
});

describe('drift that the log itself can refute', () => {
  const pass = (number: 1 | 2, ids: readonly string[], over: Partial<PageFacts> = {}): readonly Partial<PageFacts>[] =>
    ids.map((id, n) => ({ pass: number, idsDigest: sha(id), ...(n === ids.length - 1 ? { end: 'signalled' as const } : {}), ...over }));
  const twice: Partial<SourceRule> = { drift: 'second-pass', orderKept: 'by-id' };

  it('is that of two passes which differ, in what they read or in how much', () => {
    expect(on(twice, [...pass(1, ['a', 'b']), ...pass(2, ['a', 'b'])])).toEqual(ENDED);
    expect(on(twice, [...pass(1, ['a', 'b']), ...pass(2, ['a', 'b', 'c'])])).toEqual(['crm:drift-possible']);
    expect(on(twice, [...pass(1, ['a', 'b']), ...pass(2, ['a'])])).toEqual(['crm:drift-possible']);
  });

  it('is none where only empty pages stand between the same records', () => {
    const [first, end] = pass(2, ['a', 'b']);
    const gap: Partial<PageFacts> = { pass: 2, records: 0, idsDigest: sha('nothing') };
    expect(on(twice, [...pass(1, ['a', 'b']), first ?? {}, gap, end ?? {}])).toEqual(ENDED);
  });

  it.each<[SourceRule['drift'], readonly string[]]>([
    ['upper-bound', ['crm:drift-possible']],
    ['keyset', ENDED],
    ['documented', ENDED],
    ['snapshot', ENDED],
  ])('under %s leaves %j of two pages', (drift, expected) => expect(on({ drift })).toEqual(expected));

  // Fails if an attestation that ran out still keeps records in their places.
  it('of records that may jump lasts for as long as nobody attests otherwise', () => {
    const overlap = (until: string) => on({ drift: 'overlap', orderKept: { by: 'ops', until } });
    expect([overlap(LONG_AFTER), overlap(DECIDED_AT), overlap('some day')]).toEqual([
      ENDED,
      ['crm:drift-possible'],
      ['crm:drift-possible'],
    ]);
    expect(on({ drift: 'overlap' })).toEqual(['crm:drift-possible']);
    expect(on({ drift: 'overlap' }, [{}])).toEqual(ENDED);
    expect(on({ drift: 'overlap', orderKept: 'by-id' })).toEqual(ENDED);
  });
});

describe('what a source’s rule leaves open', () => {
  it('is each doubt of its contract, and an end among them is no end', () => {
    expect(on({ contractDoubts: ['total-mismatch'] })).toEqual(['crm:total-mismatch']);
    expect(on({ contractDoubts: ['match-found'] })).toEqual(INCOMPLETE);
    expect(on({ contractDoubts: ['end-signalled'] })).toEqual(INCOMPLETE);
  });

  it('is decided by what stands of this source, not of another', () => {
    const elsewhere = {
      knownGaps: [{ source: 'erp', from: at(-9_000), to: null }],
      controls: [{ source: 'erp', result: 'missed' as const, checkedAt: at(0) }],
      attestations: [{ source: 'erp', by: 'ops', until: LONG_AFTER }],
    };
    expect(codesOf(decideOn(aRegister(), [cleanRead('crm')], elsewhere))).toEqual(ENDED);
    expect(codesOf(decideOn(crm({ attestation: undefined }), [cleanRead('crm')], elsewhere))).toEqual(['crm:visibility-limited']);
  });
});

describe('the moments of a page', () => {
  it('may differ by the clock skew that the register allows, and by no more', () => {
    expect(on({}, [{ endedAt: at(-900) }])).toEqual(ENDED);
    expect(on({}, [{ endedAt: at(-901) }])).toEqual(['crm:clock-skewed']);
    const startingAt = (startsAtMs: number) => codesOf(decideOn(aRegister(), [{ source: 'crm', attempts: [{ pages: [{}], startsAtMs }] }]));
    expect([startingAt(61_000), startingAt(61_001)]).toEqual([ENDED, ['crm:clock-skewed']]);
  });

  it('cannot be left out', () => {
    expect(on({}, [{ startedAt: 'then' }, {}])).toContain('crm:evidence-incomplete');
  });
});

describe('a boundary', () => {
  const needing = (afterMs: number) => codesOf(decideOn(aRegister(), [cleanRead('crm')], { needsAsOf: at(afterMs) }));

  it('may be the very moment that the question needs', () => {
    expect([needing(-900), needing(-899)]).toEqual([ENDED, ['crm:within-index-lag']]);
  });

  it('is moved back by what a page says of its own age, and is gone where that cannot be read', () => {
    const stating = (...watermarks: readonly (string | null)[]): Decision =>
      decideOn(
        aRegister({ sources: [aSource()] }),
        [
          cleanRead(
            'crm',
            watermarks.map((watermark) => ({ watermark })),
          ),
        ],
        {
          needsAsOf: at(-60_000),
        },
      );
    expect(stating(at(-5_000), at(-3_000)).asOf).toBe(at(-6_000));
    expect(stating(at(5_000), null).asOf).toBe(at(-900));
    expect(codesOf(stating(at(-5_000), 'lately'))).toEqual(['crm:replica-lag-unknown']);
    expect(stating('lately', at(-5_000)).asOf).toBeNull();
  });
});

describe('a finding', () => {
  const findingOf = (plan: SourcePlan): unknown => decideOn(aRegister(), [plan]).findings[0]?.finding;
  it.each<[string, SourcePlan]>([
    ['match', cleanRead('crm', [{ rows: [aRow(), anAmbiguousRow({ recordId: 'rec-2' })] }])],
    ['ambiguous', cleanRead('crm', [{ rows: [anAmbiguousRow()] }])],
    ['ambiguous', cleanRead('crm', [{ rows: [aRow({ status: 'merged' })] }])],
    ['unavailable', { source: 'crm', attempts: [{ pages: [] }], ended: { stopReason: 'source-unavailable' } }],
    ['no-match-in-part', { source: 'crm', attempts: [{ pages: [{}], ends: false }], ended: { stopReason: 'cap-reached' } }],
    ['no-match-in-part', cleanRead('crm', [{ doubts: ['truncated'] }])],
    ['no-match', cleanRead('crm')],
  ])('is %s', (finding, plan) => expect(findingOf(plan)).toBe(finding));
});
