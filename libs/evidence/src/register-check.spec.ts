import { describe, expect, it } from 'vitest';
import { aRegister, aSource, LONG_AFTER } from '../test/builders.js';
import type { AcceptedDoubt, IdentifierRule, Register, SourceRule } from './register.js';
import { registerProblems } from './register-check.js';

const paths = (over: Partial<Register>): readonly string[] => registerProblems(aRegister(over)).map(({ path }) => path);
const withSource = (over: Partial<SourceRule>): readonly string[] => paths({ sources: [aSource(over)] });
const withKey = (over: Partial<IdentifierRule>): readonly string[] =>
  paths({ identifiers: { reference: { kind: 'key', normalise: [], ...over } } });
const accepted: AcceptedDoubt = { source: 'crm', doubt: 'drift-possible', owner: 'lead', reason: 'nightly table', until: LONG_AFTER };
const differs = { result: 'differs', owner: 'lead', reason: 'why' } as const;

describe('registerProblems', () => {
  it('lets a register pass that can support a no-match', () => expect(registerProblems(aRegister())).toEqual([]));

  it.each([
    ['approximate', { method: 'approximate' as const }, 'sources.crm.method'],
    ['read by a narrower filter', { predicate: 'narrower' as const }, 'sources.crm.predicate'],
    ['read by an unknown filter', { predicate: 'unknown' as const }, 'sources.crm.predicate'],
    ['a replica without a bounded lag', { lagMaxMs: null }, 'sources.crm.lagMaxMs'],
    ['enumerated without any proof against drift', { drift: 'none' as const }, 'sources.crm.drift'],
  ])('refuses a deciding source that is %s, and lets it be a candidates source', (_why, over, path) => {
    expect(withSource(over)).toEqual([path]);
    expect(paths({ sources: [aSource(), aSource({ name: 'other', role: 'candidates', ...over })] })).toEqual([]);
  });

  it('lets drift pass for an exact lookup, and where the register accepts it by name', () => {
    expect(withSource({ drift: 'none', method: 'exact-lookup' })).toEqual([]);
    expect(paths({ sources: [aSource({ drift: 'none' })], acceptedDoubts: [accepted] })).toEqual([]);
  });

  it.each<[string, Partial<Register>, string]>([
    ['no deciding source', { sources: [aSource({ role: 'candidates' })] }, 'sources'],
    ['no key', { identifiers: { account: { kind: 'scope', normalise: [] } } }, 'identifiers'],
    ['two sources of one name', { sources: [aSource(), aSource()] }, 'sources'],
    ['a source called own-writes', { sources: [aSource(), aSource({ name: 'own-writes' })] }, 'sources.own-writes'],
    [
      'moves both ways without the least time between two of them',
      { moves: { kind: 'both-ways' }, sources: [aSource(), aSource({ name: 'archive' })] },
      'moves.leastBetweenMovesMs',
    ],
    [
      'moves both ways more often than the lags let all be read',
      { moves: { kind: 'both-ways', leastBetweenMovesMs: 3_500 }, sources: [aSource(), aSource({ name: 'archive', lagMaxMs: 500 })] },
      'moves.leastBetweenMovesMs',
    ],
    ['a tolerance below the clock skew', { toleranceMs: 999 }, 'toleranceMs'],
    ['freshness that the lag alone uses up', { freshnessMs: 6_000, sources: [aSource({ lagMaxMs: 5_000 })] }, 'freshnessMs'],
    ['auto with an accepted doubt', { policy: 'auto', acceptedDoubts: [accepted] }, 'policy'],
    ['an accepted doubt of an unknown source', { acceptedDoubts: [{ ...accepted, source: 'erp' }] }, 'acceptedDoubts.0.source'],
    [
      'an accepted doubt other than drift',
      { acceptedDoubts: [{ ...accepted, doubt: 'cap-reached' as 'drift-possible' }] },
      'acceptedDoubts.0.doubt',
    ],
    ['an accepted doubt without a readable end', { acceptedDoubts: [{ ...accepted, until: 'never' }] }, 'acceptedDoubts.0.until'],
    ['a status both reusable and followed', { status: { reusable: ['x'], follow: ['x'] } }, 'status'],
    ['a budget of nothing', { budget: { ...aRegister().budget, pagesMax: 0 } }, 'budget.pagesMax'],
    ['a budget that is no number', { budget: { ...aRegister().budget, bytesMax: Number.NaN } }, 'budget.bytesMax'],
    ['no attempt', { attempts: { attemptsMax: 0, elapsedMsMax: 1 } }, 'attempts.attemptsMax'],
    ['a negative number of reruns', { holds: { autoReruns: -1, autoRerunDelayMs: 1 } }, 'holds.autoReruns'],
  ])('refuses %s', (_why, over, path) => expect(paths(over)).toEqual([path]));

  it('refuses what is wrong with a source or an identifier', () => {
    expect(withSource({ lagMaxMs: -1 })).toEqual(['sources.crm.lagMaxMs']);
    expect(withSource({ attestation: { by: 'ops', until: 'soon' } })).toEqual(['sources.crm.attestation.until']);
    expect(withSource({ optionalFields: ['colour'] })).toEqual(['sources.crm.optionalFields']);
    expect(withKey({ optional: true })).toEqual(['identifiers.reference.optional']);
    expect(withKey({ format: '[' })).toEqual(['identifiers.reference.format']);
    expect(paths({ identifiers: { ...aRegister().identifiers, account: { kind: 'scope', normalise: [], whenMissing: differs } } })).toEqual(
      ['identifiers.account.whenMissing'],
    );
  });

  it('gives a reason that a person can act on', () => {
    expect(registerProblems(aRegister({ sources: [aSource({ method: 'approximate' })] }))[0]?.reason).toContain(
      'could never support a no-match',
    );
  });
});
