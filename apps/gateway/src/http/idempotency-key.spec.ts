import { HttpException } from '@nestjs/common';
import { describe, expect, it } from 'vitest';
import { readIdempotencyKey } from './idempotency-key.js';

describe('the Idempotency-Key header', () => {
  it('is the same key quoted (RFC 8941) and bare; fails when a retry by another client library asks twice', () => {
    expect(readIdempotencyKey('"k-1"')).toBe('k-1');
    expect(readIdempotencyKey('k-1')).toBe('k-1');
    expect(readIdempotencyKey(undefined)).toBeNull();
  });

  it.each(['', '""', 'a b', 'ü', 'x'.repeat(201)])('is refused when it is not 1 to 200 visible ASCII characters: %s', (header) => {
    expect(() => readIdempotencyKey(header)).toThrowError(HttpException);
  });
});
