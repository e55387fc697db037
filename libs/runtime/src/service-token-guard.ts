import { createHash, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { problem } from './problem-details.js';
import type { ServiceConfig } from './service-config.js';
import { SERVICE_CONFIG } from './tokens.js';

/** Lets other services of ours in, by the token that all of them have. Without a configured token nobody is let in. */
@Injectable()
export class ServiceTokenGuard implements CanActivate {
  constructor(@Inject(SERVICE_CONFIG) private readonly config: Pick<ServiceConfig, 'serviceToken'>) {}

  canActivate(context: ExecutionContext): boolean {
    const { authorization } = context.switchToHttp().getRequest<Request>().headers;
    const sent = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1];
    const expected = this.config.serviceToken;
    if (sent !== undefined && expected !== null && isSameText(sent, expected)) return true;
    throw problem(
      401,
      'unauthenticated',
      'The service token is needed',
      'Send Authorization: Bearer with the value of LACUNA_SERVICE_TOKEN.',
    );
  }
}

/** In a time that does not depend on how much is alike: digests of equal length are compared. */
function isSameText(one: string, other: string): boolean {
  const digest = (value: string) => createHash('sha256').update(value).digest();
  return timingSafeEqual(digest(one), digest(other));
}
