import { describe, expect, it } from 'vitest';
import {
  aGeneration,
  evidenceOf,
  aRegister,
  aRow,
  aSource,
  aStarted,
  anAmbiguousRow,
  anAsked,
  at,
  cleanRead,
  codesOf,
  DECIDED_AT,
  decideOn,
  LONG_AFTER,
  sha,
  type SourcePlan,
} from '../test/builders.js';
import { decide } from './decide.js';
import type { StartedFacts } from './facts.js';
import type { Register, SourceRule } from './register.js';

const outcome = (
  register: Register,
  plans: readonly SourcePlan[],
  started: Partial<StartedFacts> = {},
): readonly [string, ...(readonly string[])] => {
  const decision = decideOn(register, plans, started);
  return [decision.verdict, ...codesOf(decision)];
};
const stopped = (source: string, stopReason: string, pages: Parameters<typeof cleanRead>[1] = [{}]): SourcePlan => ({
  source,
  attempts: [{ pages, ends: false }],
  ended: { stopReason },
});
const noMatch = ['scoped-no-match', 'crm:end-signalled'];
const held = (...codes: readonly string[]): readonly string[] => ['evidence-hold', ...codes];
const crm = (over: Partial<SourceRule> = {}, rest: Partial<Register> = {}): Register => aRegister({ sources: [aSource(over)], ...rest });

describe('one deciding source', () => {
  it.each<[string, SourcePlan, readonly string[]]>([
    [
      'a match, whatever else is unread',
      stopped('crm', 'cap-reached', [{ rows: [aRow()] }]),
      ['match-review', 'crm:match-found', 'crm:cap-reached'],
    ],
    ['the end signalled, no doubt, no match', cleanRead('crm'), noMatch],
    ['one empty page that signals the end', cleanRead('crm', [{ records: 0 }]), noMatch],
    ['ended for any other reason', stopped('crm', 'budget-pages'), held('crm:budget-pages')],
    [
      'unavailable',
      { source: 'crm', attempts: [{ pages: [] }], ended: { stopReason: 'source-unavailable' } },
      held('crm:source-unavailable'),
    ],
    ['an ambiguous row', cleanRead('crm', [{ rows: [anAmbiguousRow()] }]), held('crm:identity-ambiguous')],
    ['a stop at a match that nobody can see', stopped('crm', 'match-found'), held('crm:evidence-incomplete')],
    ['ended by signal and with a doubt', cleanRead('crm', [{ doubts: ['timed-out'] }]), held('crm:timed-out')],
  ])('%s', (_evidence, plan, expected) => expect(outcome(aRegister(), [plan])).toEqual(expected));

  it('500 other requests of the account and none with this reference is a no-match: differing rows are in the digest only', () => {
    const pages = Array.from({ length: 5 }, () => ({ records: 100 }));
    expect(outcome(aRegister(), [cleanRead('crm', pages)])).toEqual(noMatch);
    const logged = Array.from({ length: 500 }, (_, n) =>
      aRow({ recordId: `rec-${n}`, results: { account: 'agree', reference: 'differ' } }),
    );
    expect(outcome(aRegister(), [cleanRead('crm', [{ rows: logged }])])).toEqual(noMatch);
  });

  it('rows without any key are counted and decide nothing', () => {
    const decision = decideOn(aRegister(), [cleanRead('crm', [{ rowsWithoutKey: 3 }, { rowsWithoutKey: 4 }])]);
    expect([decision.verdict, decision.rowsWithoutKey]).toEqual(['scoped-no-match', 7]);
  });

  it('an attempt that failed before the one that counts does no harm', () => {
    const failed = { pages: [{ doubts: ['timed-out'] }], ends: false };
    expect(outcome(aRegister(), [{ source: 'crm', attempts: [failed, { pages: [{}] }] }])).toEqual(noMatch);
  });

  it('several attempts of which nobody says how many pages they had may have lost one', () => {
    const plan: SourcePlan = {
      source: 'crm',
      attempts: [{ pages: [{}], ends: false }, { pages: [{}] }],
      ended: { pagesOfAllAttempts: null },
    };
    expect(outcome(aRegister(), [plan])).toEqual(held('crm:evidence-incomplete'));
  });

  it('pages that do not begin at 0, or an earlier page that had stopped, do not add up', () => {
    const shifted = evidenceOf(aGeneration(aRegister(), [cleanRead('crm', [{ sequence: 1 }, { sequence: 2 }])]));
    expect(codesOf(decide({ ...shifted, chainIntact: true }, aRegister(), DECIDED_AT))).toEqual(['crm:evidence-incomplete']);
    expect(outcome(aRegister(), [cleanRead('crm', [{ stop: 'cap-reached' }, {}])])).toEqual(held('crm:evidence-incomplete'));
  });

  it('no count is claimed where only an attempt that failed saw the match', () => {
    const failed = { pages: [{ rows: [aRow()] }], ends: false };
    const decision = decideOn(aRegister(), [{ source: 'crm', attempts: [failed, { pages: [{}] }] }], { kind: 'enumerate' });
    expect([decision.verdict, decision.partial, decision.count]).toEqual(['match-review', false, null]);
  });

  it('an ambiguous row of an attempt that failed still needs a person', () => {
    const failed = { pages: [{ rows: [anAmbiguousRow()] }], ends: false };
    expect(outcome(aRegister(), [{ source: 'crm', attempts: [failed, { pages: [{}] }] }])).toEqual(held('crm:identity-ambiguous'));
  });

  it.each<[string, Partial<SourcePlan['ended'] & object>]>([
    ['another page count', { pages: 3 }],
    ['another last hash', { lastHash: sha('other') }],
    ['another attempt', { attemptId: 'elsewhere' }],
    ['no start', { startedAt: null }],
  ])('what search.ended says with %s does not add up', (_why, ended) => {
    expect(outcome(aRegister(), [{ ...cleanRead('crm'), ended }])).toEqual(held('crm:evidence-incomplete'));
  });
});

describe('rules of a source', () => {
  it.each<[string, Partial<SourceRule>, string]>([
    ['approximate', { method: 'approximate' }, 'method-approximate'],
    ['narrower', { predicate: 'narrower' }, 'predicate-narrower'],
    ['of an unknown predicate', { predicate: 'unknown' }, 'predicate-narrower'],
    ['of an unknown lag', { lagMaxMs: null }, 'replica-lag-unknown'],
    ['read page by page without proof against drift', { drift: 'none' }, 'drift-possible'],
    ['said to be one response and read in two', { drift: 'single-response' }, 'drift-possible'],
    ['to be read twice and read once', { drift: 'second-pass' }, 'drift-possible'],
  ])('a source that is %s supports nothing, even if the runner raised no doubt', (_why, over, code) => {
    expect(outcome(crm(over), [cleanRead('crm')])).toEqual(held(`crm:${code}`));
  });

  it('drift is excluded by a single response, and by a second pass with equal digests', () => {
    expect(outcome(crm({ drift: 'none' }), [cleanRead('crm', [{}])])).toEqual(noMatch);
    const pass = (number: 1 | 2, tail: string) => [
      { pass: number, idsDigest: sha('one') },
      { pass: number, idsDigest: sha(tail), end: 'signalled' as const },
    ];
    expect(outcome(crm({ drift: 'second-pass', orderKept: 'by-id' }), [cleanRead('crm', [...pass(1, 'two'), ...pass(2, 'two')])])).toEqual(
      noMatch,
    );
    expect(
      outcome(crm({ drift: 'second-pass', orderKept: 'by-id' }), [cleanRead('crm', [...pass(1, 'two'), ...pass(2, 'three')])]),
    ).toEqual(held('crm:drift-possible'));
  });

  it('an accepted doubt stands beside the no-match until it expires, for its source only; the answer stays partial', () => {
    const accepted = (until: string, source = 'crm') => [
      { source, doubt: 'drift-possible' as const, owner: 'lead', reason: 'nightly', until },
    ];
    const decision = decideOn(crm({ drift: 'none' }, { acceptedDoubts: accepted(LONG_AFTER) }), [cleanRead('crm')]);
    expect(decision).toMatchObject({ verdict: 'scoped-no-match', accepted: [{ code: 'drift-possible', source: 'crm' }], partial: true });
    expect(outcome(crm({ drift: 'none' }, { acceptedDoubts: accepted(DECIDED_AT) }), [cleanRead('crm')])).toEqual(
      held('crm:drift-possible'),
    );
    expect(outcome(crm({ drift: 'none' }, { acceptedDoubts: accepted(LONG_AFTER, 'erp') }), [cleanRead('crm')])).toEqual(
      held('crm:drift-possible'),
    );
    const doubted = { ...cleanRead('crm'), ended: { doubts: ['total-changed'] } };
    expect(outcome(crm({ drift: 'none' }, { acceptedDoubts: accepted(LONG_AFTER) }), [doubted])).toEqual(held('crm:total-changed'));
  });

  it('no other doubt can be accepted, even by a register that was not checked', () => {
    const acceptedDoubts = [{ source: 'crm', doubt: 'truncated' as 'drift-possible', owner: 'lead', reason: 'fine', until: LONG_AFTER }];
    expect(outcome(crm({}, { acceptedDoubts }), [cleanRead('crm', [{ doubts: ['truncated'] }])])).toEqual(held('crm:truncated'));
  });

  it.each<[string, Partial<StartedFacts>, string]>([
    ['a missed control', { controls: [{ source: 'crm', result: 'missed', checkedAt: at(0) }] }, 'control-missed'],
    ['a stale control', { controls: [{ source: 'crm', result: 'stale', checkedAt: at(0) }] }, 'control-stale'],
    ['an unknown control result', { controls: [{ source: 'crm', result: 'fine' as 'found', checkedAt: at(0) }] }, 'control-stale'],
    ['a known gap', { knownGaps: [{ source: 'crm', from: at(-9_000), to: null }] }, 'ingestion-gap-known'],
  ])('%s holds', (_why, started, code) => expect(outcome(aRegister(), [cleanRead('crm')], started)).toEqual(held(`crm:${code}`)));

  it('sight is attested until now or tested; an attestation that ran out is not made up for by a control', () => {
    const found = { controls: [{ source: 'crm', result: 'found' as const, checkedAt: at(0) }] };
    const ranOut = { by: 'ops', until: at(0) };
    expect(outcome(crm({ attestation: undefined }), [cleanRead('crm')])).toEqual(held('crm:visibility-limited'));
    expect(outcome(crm({ attestation: undefined }), [cleanRead('crm')], found)).toEqual(noMatch);
    expect(outcome(crm({ attestation: ranOut }), [cleanRead('crm')], found)).toEqual(held('crm:visibility-limited'));
    expect(
      outcome(crm({ attestation: ranOut }), [cleanRead('crm')], { attestations: [{ source: 'crm', by: 'ops', until: LONG_AFTER }] }),
    ).toEqual(noMatch);
  });
});

describe('time', () => {
  it('the boundary is the start − lag − skew, and asOf the oldest of them', () => {
    const register = aRegister({ sources: [aSource(), aSource({ name: 'erp', lagMaxMs: 500 })] });
    const plans = [cleanRead('crm'), { source: 'erp', attempts: [{ pages: [{}], startsAtMs: 900 }] }];
    const decision = decideOn(register, plans);
    expect(decision.boundaries).toEqual([
      { source: 'crm', boundary: at(-900) },
      { source: 'erp', boundary: at(-600) },
    ]);
    expect([decision.verdict, decision.asOf]).toEqual(['scoped-no-match', at(-900)]);
  });

  it('a source that lags behind what the question needs holds, and heals by waiting', () => {
    const decision = decideOn(crm({ lagMaxMs: 5_000 }), [cleanRead('crm')]);
    expect([codesOf(decision), decision.healsByWaiting]).toEqual([['crm:within-index-lag'], true]);
    const later = { source: 'crm', attempts: [{ pages: [{}], startsAtMs: 5_000 }] };
    expect(outcome(crm({ lagMaxMs: 5_000 }), [later])).toEqual(noMatch);
  });

  it('takes the earlier start where search.ended and the first page differ: a boundary is never moved forward', () => {
    const plan = { ...cleanRead('crm'), ended: { startedAt: at(50_000) } };
    expect(decideOn(aRegister(), [plan]).asOf).toBe(at(-900));
    expect(outcome(aRegister(), [{ ...cleanRead('crm'), ended: { startedAt: at(-5_000) } }])).toEqual(held('crm:within-index-lag'));
  });

  it('evidence from the future, or a page that ends before it starts, shows a skewed clock', () => {
    expect(outcome(aRegister(), [{ source: 'crm', attempts: [{ pages: [{}], startsAtMs: 600_000 }] }])).toEqual(held('crm:clock-skewed'));
    expect(outcome(aRegister(), [cleanRead('crm', [{ endedAt: at(-5_000) }])])).toEqual(held('crm:clock-skewed'));
  });

  it('an unreadable needsAsOf or decidedAt holds', () => {
    expect(outcome(aRegister(), [cleanRead('crm')], { needsAsOf: 'soon' })).toEqual(held('evidence-incomplete'));
    expect(decide({ started: null, pages: [], ended: null, chainIntact: true }, aRegister(), 'now').verdict).toBe('evidence-hold');
  });
});

describe('the question', () => {
  it.each<[string, Partial<StartedFacts>, string]>([
    ['a key that was not asked', { identifiers: [anAsked('account', 'acme')] }, 'evidence-incomplete'],
    [
      'an identifier of no register',
      { identifiers: [...aStarted(aRegister()).identifiers, anAsked('colour', 'red')] },
      'evidence-incomplete',
    ],
    ['one identifier twice', { identifiers: [...aStarted(aRegister()).identifiers, anAsked('account', 'b')] }, 'evidence-incomplete'],
    ['an empty key', { identifiers: [anAsked('reference', '')] }, 'evidence-incomplete'],
    ['a kind that is none', { kind: 'maybe' as 'exists' }, 'evidence-incomplete'],
    [
      'an account that the lookup did not find',
      { identifiers: [anAsked('account', 'x', { lookup: 'not-found' }), anAsked('reference', 'R')] },
      'identity-unvalidated',
    ],
    ['a lookup that did not answer', { identifiers: [anAsked('reference', 'R', { lookup: 'unavailable' })] }, 'identity-unvalidated'],
    // A value that is none of its identifier is found nowhere, whoever let it through.
    ['a key that is empty in normal form', { identifiers: [anAsked('reference', ' ')] }, 'identity-unvalidated'],
    ['a key that no system can store', { identifiers: [anAsked('reference', 'R\0')] }, 'identity-unvalidated'],
    ['another register', { registerHash: sha('other') }, 'register-changed'],
  ])('with %s holds', (_why, started, code) => expect(outcome(aRegister(), [cleanRead('crm')], started)).toEqual(held(code)));

  it('with a key that cannot be read as the register compares it holds: it is found nowhere, and nothing follows from that', () => {
    const register = aRegister({ identifiers: { email: { kind: 'key', normalise: ['email'] } } });
    const asked = (value: string) => outcome(register, [cleanRead('crm')], { identifiers: [anAsked('email', value)] });
    expect(asked('ann@Ꭰ.example')).toEqual(held('identity-unvalidated'));
    expect(asked('ann@example.org')).toEqual(noMatch);
  });

  it('with a lookup that found the account does not', () => {
    const identifiers = [anAsked('reference', 'R', { lookup: 'found', provenance: 'model' })];
    expect(outcome(aRegister(), [cleanRead('crm')], { identifiers })).toEqual(noMatch);
  });

  it('lists of records are cut at 1,000 and say so; the verdict stands', () => {
    const rows = Array.from({ length: 1_001 }, (_, n) => aRow({ recordId: `rec-${n}` }));
    const decision = decideOn(aRegister(), [cleanRead('crm', [{ rows }])], { kind: 'enumerate' });
    expect([decision.matches.length, decision.listsTruncated, decision.count]).toEqual([1_000, true, 1_001]);
    expect(decision.found.matches).toBe(1_001);
  });
});
