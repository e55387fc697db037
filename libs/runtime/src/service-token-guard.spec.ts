import { HttpException, type ExecutionContext } from '@nestjs/common';
import { describe, expect, it } from 'vitest';
import { ServiceTokenGuard } from './service-token-guard.js';

const TOKEN = 'a-token-of-enough-length';

function asks(authorization: string | undefined, serviceToken: string | null = TOKEN): () => boolean {
  const context = { switchToHttp: () => ({ getRequest: () => ({ headers: { authorization } }) }) } as unknown as ExecutionContext;
  return () => new ServiceTokenGuard({ serviceToken }).canActivate(context);
}

describe('the service token guard', () => {
  it('lets the token in', () => {
    expect(asks(`Bearer ${TOKEN}`)()).toBe(true);
    expect(asks(`bearer ${TOKEN}`)()).toBe(true);
  });

  it.each([undefined, '', TOKEN, `Basic ${TOKEN}`, 'Bearer ', `Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}`, `Bearer x ${TOKEN}`])(
    'refuses %s with 401; fails when a service endpoint is open',
    (authorization) => {
      expect(asks(authorization)).toThrow(HttpException);
    },
  );

  it('refuses everybody when no token is configured; fails when "not set" means "open"', () => {
    expect(asks('Bearer null', null)).toThrow(HttpException);
    expect(asks(undefined, null)).toThrow(HttpException);
  });
});
