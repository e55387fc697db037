import { keyDigest } from '@lacuna/receipts';
import { anIdentifier, aRegisterWithTarget } from '@lacuna/testing';
import { describe, expect, it } from 'vitest';
import { keyPolicyOf, writeKeyOf } from './write-key.js';

const register = aRegisterWithTarget();
const target = { name: 'service-request', kind: 'own-table', policyId: 'service-request-key-v1' } as const;
const ofReference = (value: string) => writeKeyOf(register, { identifiers: [anIdentifier({ name: 'reference', value })] });

describe('the key of a wanted write', () => {
  it('is the digest that own-writes is asked with: another one would never find the slot', () => {
    expect(ofReference(' SR-7 ')).toEqual({
      target: 'service-request',
      keyDigest: keyDigest('service-request-key-v1', ['sr-7']),
      isComplete: true,
    });
  });

  it('is the same for two spellings of one key, and another for another key', () => {
    expect(ofReference('ＳＲ-7').keyDigest).toBe(ofReference('sr-7').keyDigest);
    expect(ofReference('sr-8').keyDigest).not.toBe(ofReference('sr-7').keyDigest);
  });

  it('is incomplete where a part is missing or empty: two records of which nothing is known would share a slot', () => {
    expect(ofReference('   ').isComplete).toBe(false);
    expect(writeKeyOf(register, { identifiers: [] }).isComplete).toBe(false);
  });
});

describe('the key policy of a target', () => {
  const { identifiers } = register;
  const reference = identifiers['reference'] as NonNullable<(typeof identifiers)[string]>;

  it('does not depend on what digests do not depend on: a new version of the same register must go on writing', () => {
    const other = aRegisterWithTarget({
      version: '2.0.0',
      freshnessMs: 1,
      identifiers: { reference, account: { kind: 'scope', normalise: [] } },
    });
    expect(keyPolicyOf(other)).toBe(keyPolicyOf(register));
  });

  it.each([
    ['policy id', aRegisterWithTarget({ target: { ...target, policyId: 'service-request-key-v2' } })],
    ['normaliser', aRegisterWithTarget({ identifiers: { ...identifiers, reference: { ...reference, normalise: ['trim'] } } })],
    [
      'order of normalisers',
      aRegisterWithTarget({ identifiers: { reference: { ...reference, normalise: ['trim', 'nfkc', 'case-fold'] } } }),
    ],
    ['further key', aRegisterWithTarget({ identifiers: { ...identifiers, instance: { kind: 'key', normalise: [] } } })],
  ])('is another with another %s: one key would get two slots', (_, other) => {
    expect(keyPolicyOf(other)).not.toBe(keyPolicyOf(register));
  });
});
