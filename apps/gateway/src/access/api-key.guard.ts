import type { Database } from '@lacuna/messaging';
import { DATABASE } from '@lacuna/runtime';
import { createParamDecorator, Inject, Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { forbidden, unauthenticated } from '../http/problems.js';
import { principalOfKey, type Principal, type Role } from './api-keys.js';

const ROLES = 'lacuna:roles';

/** Who may call: a key with one of these roles. */
export const Roles = (...roles: [Role, ...Role[]]) => SetMetadata(ROLES, roles);

type Authenticated = Request & { caller?: Principal };

/** The caller, as the key says. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): Principal => {
  const { caller } = context.switchToHttp().getRequest<Authenticated>();
  if (!caller) throw new Error('a handler with a caller is guarded by ApiKeyGuard');
  return caller;
});

/** Lets a request in when its key is known and has a role that the handler names; a handler that names none lets nobody in. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Authenticated>();
    const key = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    const caller = key ? await principalOfKey(this.database, key) : null;
    if (!caller) {
      http.getResponse<Response>().setHeader('WWW-Authenticate', 'Bearer realm="lacuna"');
      throw unauthenticated();
    }
    const allowed = this.reflector.getAllAndOverride<Role[] | undefined>(ROLES, [context.getHandler(), context.getClass()]) ?? [];
    if (!caller.roles.some((role) => allowed.includes(role))) throw forbidden(allowed);
    request.caller = caller;
    return true;
  }
}
