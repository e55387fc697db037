import { expect, it } from 'vitest';
import { refusalOf } from '../test/refusal.js';
import { saltedHash } from './salted-hash.js';

// Fails if key and message are swapped, or another construction is used. RFC 4231, test case 1 (its key has 20 bytes).
it('is HMAC-SHA-256 with the salt as the key', () => {
  expect(saltedHash(Buffer.alloc(20, 0x0b), 'Hi There')).toBe('b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7');
});

// Fails if one person is recognisable across two questions' receipts.
it('differs between two salts', () => {
  expect(saltedHash(Buffer.alloc(16, 1), 'Ada')).not.toBe(saltedHash(Buffer.alloc(16, 2), 'Ada'));
});

// Fails if an empty or guessable salt leaves names to be found by trying them.
it('is refused for a salt of fewer than 16 bytes', () => {
  expect(refusalOf(() => saltedHash(Buffer.alloc(15), 'Ada'))).toBe('salt-too-short');
});

// Fails if two values that UTF-8 cannot tell apart (both become U+FFFD) get one hash.
it('is refused for text with a lone surrogate', () => {
  expect(refusalOf(() => saltedHash(Buffer.alloc(16), '\ud800'))).toBe('text-not-unicode');
});
