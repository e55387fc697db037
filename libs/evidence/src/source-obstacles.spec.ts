import { describe, expect, it } from 'vitest';
import { LONG_AFTER, aRegister, aSource, cleanRead, codesOf, decideOn } from '../test/builders.js';
import { registerProblems } from './register-check.js';
import type { SourceRule } from './register.js';
import { sourceObstacles } from './source-obstacles.js';

const hazard = { name: 'cutoff', reason: 'partial-answer', attestation: null } as const;

const WEAK: readonly (readonly [string, Partial<SourceRule>])[] = [
  ['an approximate method', { method: 'approximate' }],
  ['a narrower filter', { predicate: 'narrower' }],
  ['an unknown filter', { predicate: 'unknown' }],
  ['a lag without bound', { lagMaxMs: null }],
  ['drift', { drift: 'none' }],
  ['an upper bound alone', { drift: 'upper-bound' }],
  ['a hazard', { hazards: [hazard] }],
  ['a contract that leaves something open', { contractDoubts: ['scope-unverified', 'visibility-limited', 'metadata-missing'] }],
];

describe('what keeps a source from ever supporting a no-match', () => {
  // Fails if a register that the loader has let through supports a no-match all the same: the core must not rely on it.
  it.each(WEAK)('%s is refused when it is loaded, and holds when it is decided', (_name, weak) => {
    const register = aRegister({ sources: [aSource(weak)] });
    const obstacles = sourceObstacles(register, register.sources[0]!);
    expect(obstacles.length).toBeGreaterThan(0);
    expect(registerProblems(register).map(({ kind }) => kind)).toEqual(obstacles.map(() => 'never-supports'));
    const decision = decideOn(register, [cleanRead('crm')]);
    expect(decision.verdict).toBe('evidence-hold');
    for (const { doubt } of obstacles) expect(codesOf(decision)).toContain(`crm:${doubt}`);
  });

  // Fails if a hazard holds although it is attested, or if an attestation holds for ever.
  it('is not a hazard that is attested, for as long as it is', () => {
    const decided = (until: string): string =>
      decideOn(aRegister({ sources: [aSource({ hazards: [{ ...hazard, attestation: { by: 'ops', until } }] })] }), [cleanRead('crm')])
        .verdict;
    expect([decided(LONG_AFTER), decided('2020-01-01T00:00:00.000Z'), decided('no moment')]).toEqual([
      'scoped-no-match',
      'evidence-hold',
      'evidence-hold',
    ]);
  });
});
