import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { refusalOf } from '../test/refusal.js';
import { keyDigest } from './key-digest.js';

const aPart = fc.string({ minLength: 1, unit: 'grapheme' });

describe('a key digest', () => {
  // Fails if the rule changes by a byte: every existing slot would then miss its own record.
  it('is the SHA-256 of the canonical array of policy id and parts', () => {
    const expected = createHash('sha256').update('["requests/v1","4711","broken door"]').digest('hex');
    expect(keyDigest('requests/v1', ['4711', 'broken door'])).toBe(expected);
  });

  // Fails if parts are joined: two different keys would meet in one slot, and the second asker be told that its record exists.
  it('differs whenever policy id or parts differ', () => {
    const aKey = fc.tuple(aPart, fc.array(aPart, { minLength: 1, maxLength: 3 }));
    fc.assert(
      fc.property(aKey, aKey, ([policyA, partsA], [policyB, partsB]) => {
        const same = JSON.stringify([policyA, ...partsA]) === JSON.stringify([policyB, ...partsB]);
        expect(keyDigest(policyA, partsA) === keyDigest(policyB, partsB)).toBe(same);
      }),
    );
    expect(keyDigest('p', ['ab', 'c'])).not.toBe(keyDigest('p', ['a', 'bc']));
  });

  // Fails if a part of which nothing is known is hashed as if it were known: unlike records would share a slot.
  it.each([
    ['an empty part', ['4711', '']],
    ['a missing part', ['4711', undefined]],
    ['a null part', [null, 'title']],
    ['a number', [4711]],
    ['a hole', Array(1)],
    ['no part', []],
  ])('is refused for %s', (_name, parts) => expect(refusalOf(() => keyDigest('p', parts as string[]))).toBe('key-part-missing'));

  // Fails if two policies could share digests by both having no id.
  it('is refused without a policy id', () => expect(refusalOf(() => keyDigest('', ['4711']))).toBe('policy-id-missing'));
});
