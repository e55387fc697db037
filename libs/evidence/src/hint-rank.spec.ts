import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aRegister, anAmbiguousRow, cleanRead, decideOn } from '../test/builders.js';
import type { Comparison } from './facts.js';
import type { IdentifierRule } from './register.js';

const hint: IdentifierRule = { kind: 'hint', normalise: ['trim'], optional: true };
const register = aRegister({ identifiers: { ...aRegister().identifiers, name: hint, city: hint } });
const candidate = (recordId: string, hints: Readonly<Record<string, Comparison>>) =>
  anAmbiguousRow({ recordId, results: { account: 'agree', reference: 'near', ...hints } });
const on = (...rows: readonly ReturnType<typeof candidate>[]) => decideOn(register, [cleanRead('crm', [{ rows }])]);

describe('hints', () => {
  // Fails if a person is shown the candidates in the order in which a table happens to hold them.
  it('put the candidate in which more of them agree first, and change nothing among equals', () => {
    const { candidates } = on(
      candidate('a', { name: 'differ', city: 'differ' }),
      candidate('b', { name: 'near', city: 'differ' }),
      candidate('c', { name: 'agree', city: 'near' }),
      candidate('d', { name: 'agree', city: 'agree' }),
      candidate('e', {}),
      candidate('f', { name: 'missing', city: 'near' }),
    );
    expect(candidates.map(({ recordId }) => recordId)).toEqual(['d', 'c', 'b', 'f', 'a', 'e']);
  });

  // Fails if a scope or a key that agrees counts as a hint.
  it('are the hints alone', () => {
    const { candidates } = on(candidate('a', { account: 'differ' }), candidate('b', { account: 'agree' }));
    expect(candidates.map(({ recordId }) => recordId)).toEqual(['a', 'b']);
  });

  // Fails if a hint that agrees makes a match of a candidate, or one that differs takes it away.
  it('change no verdict', () => {
    const result = fc.constantFrom<Comparison>('agree', 'near', 'differ', 'missing', 'unavailable');
    fc.assert(
      fc.property(result, result, (name, city) => {
        const { verdict, candidates } = on(candidate('a', { name, city }));
        expect([verdict, candidates.length]).toEqual(['evidence-hold', 1]);
      }),
    );
  });
});
