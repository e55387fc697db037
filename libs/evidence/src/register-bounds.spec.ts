/** Registers at the very edge of what is allowed: fails when a rule refuses what it allows, or allows what it refuses. */
import { describe, expect, it } from 'vitest';
import { aRegister, aSource, at, LONG_AFTER } from '../test/builders.js';
import type { IdentifierRule, Register, SourceRule } from './register.js';
import { registerProblems } from './register-check.js';

const paths = (over: Partial<Register>): readonly string[] => registerProblems(aRegister(over)).map(({ path }) => path);
const withSource = (over: Partial<SourceRule>): readonly string[] => paths({ sources: [aSource(over)] });
const withKey = (over: Partial<IdentifierRule>): readonly string[] =>
  paths({ identifiers: { reference: { kind: 'key', normalise: [], ...over } } });
const { budget, attempts, holds } = aRegister();
const gap = { source: 'crm', from: at(0), to: at(0), owner: 'ops', reason: 'stood still' };
const hazard = (until: string) => ({ name: 'replicas', reason: 'partial-answer' as const, attestation: { by: 'ops', until } });

describe('at its bound a register', () => {
  it.each<[string, Partial<Register>]>([
    ['reads one page, record, byte and millisecond', { budget: { pagesMax: 1, recordsMax: 1, bytesMax: 1, elapsedMsMax: 1 } }],
    ['tries a source once', { attempts: { ...attempts, attemptsMax: 1 } }],
    ['asks nothing again by itself', { holds: { ...holds, autoReruns: 0 } }],
    ['has clocks that agree', { clockSkewMaxMs: 0, toleranceMs: 0 }],
    ['tolerates as much as clocks differ', { clockSkewMaxMs: 500, toleranceMs: 500 }],
    [
      'is fresh for one millisecond more than the lag',
      { clockSkewMaxMs: 10, toleranceMs: 10, freshnessMs: 31, sources: [aSource({ lagMaxMs: 20 })] },
    ],
    ['knows a gap of one moment', { knownGaps: [gap] }],
    ['knows a gap that lasts', { knownGaps: [{ ...gap, to: null }] }],
    ['has a second source with a gap', { sources: [aSource(), aSource({ name: 'desk' })], knownGaps: [gap] }],
    ['has an auto policy and accepts nothing', { policy: 'auto', acceptedDoubts: [] }],
  ])('%s', (_, over) => expect(paths(over)).toEqual([]));

  it.each<[string, Partial<Register>, string]>([
    ['no page', { budget: { ...budget, pagesMax: 0 } }, 'budget.pagesMax'],
    ['no record', { budget: { ...budget, recordsMax: 0 } }, 'budget.recordsMax'],
    ['no byte', { budget: { ...budget, bytesMax: 0 } }, 'budget.bytesMax'],
    ['no time', { budget: { ...budget, elapsedMsMax: 0 } }, 'budget.elapsedMsMax'],
    ['no attempt', { attempts: { ...attempts, attemptsMax: 0 } }, 'attempts.attemptsMax'],
    ['fewer than no reruns', { holds: { ...holds, autoReruns: -1 } }, 'holds.autoReruns'],
    [
      'a freshness that equals its lag',
      { clockSkewMaxMs: 10, toleranceMs: 10, freshnessMs: 30, sources: [aSource({ lagMaxMs: 20 })] },
      'freshnessMs',
    ],
    ['less tolerance than skew', { clockSkewMaxMs: 500, toleranceMs: 499 }, 'toleranceMs'],
    ['a gap that ends before it begins', { knownGaps: [{ ...gap, to: at(-1) }] }, 'knownGaps.0.to'],
    ['a gap that begins at no moment', { knownGaps: [{ ...gap, from: 'lately', to: null }] }, 'knownGaps.0.from'],
  ])('is refused with %s', (_, over, path) => expect(paths(over)).toEqual([path]));

  it('counts the lag of deciding sources alone for its freshness', () => {
    const slow = aSource({ name: 'index', role: 'candidates', lagMaxMs: 900_000 });
    expect(paths({ sources: [aSource(), slow], freshnessMs: 60_000 })).toEqual([]);
  });
});

describe('a source', () => {
  it.each<[string, Partial<SourceRule>, readonly string[]]>([
    ['without lag', { lagMaxMs: 0 }, []],
    ['with a negative lag', { lagMaxMs: -1 }, ['sources.crm.lagMaxMs']],
    ['that leaves nothing recent out', { recentExcludedMs: 0 }, []],
    ['that leaves less than nothing out', { recentExcludedMs: -1 }, ['sources.crm.recentExcludedMs']],
    ['whose hazard is attested until a moment', { hazards: [hazard(LONG_AFTER)] }, []],
    ['whose hazard is attested until no moment', { hazards: [hazard('soon')] }, ['sources.crm.hazards']],
    ['attested until no moment', { attestation: { by: 'ops', until: 'soon' } }, ['sources.crm.attestation.until']],
    ['whose optional field is an identifier', { optionalFields: ['account'] }, []],
    ['whose optional field is none', { optionalFields: ['account', 'colour'] }, ['sources.crm.optionalFields']],
  ])('%s', (_, over, problems) =>
    expect(withSource(over).filter((path) => !path.includes('hazards') || problems.length > 0)).toEqual(problems),
  );
});

describe('an identifier', () => {
  it.each<[string, Partial<IdentifierRule>, readonly string[]]>([
    ['with a format', { format: '[A-Z]{2}' }, []],
    ['with a format that is no expression', { format: '[' }, ['identifiers.reference.format']],
    ['with a country code', { normalise: [{ phone: { countryCode: '49' } }] }, []],
    ['with no country code', { normalise: [{ phone: { countryCode: 'DE' } }] }, ['identifiers.reference.normalise']],
    ['whose near form has no country code', { near: [{ phone: { countryCode: '' } }] }, ['identifiers.reference.near']],
    ['in a time zone', { normalise: [{ date: { zone: 'Europe/Berlin' } }] }, []],
    ['in no time zone', { normalise: [{ date: { zone: 'Europe/Atlantis' } }] }, ['identifiers.reference.normalise']],
    ['that takes look-alikes for the same', { normalise: ['confusables'] }, ['identifiers.reference.normalise']],
    ['that takes look-alikes for near', { near: ['confusables'] }, []],
  ])('%s', (_, over, problems) => expect(withKey(over)).toEqual(problems));
});
