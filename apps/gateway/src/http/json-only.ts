import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { unsupportedMediaType } from './problems.js';

/** A body that the JSON parser has left alone would look like an empty one: it is refused by its type instead. */
@Injectable()
export class JsonOnly implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    if (request.method !== 'POST' || request.is('application/json')) return true;
    throw unsupportedMediaType(request.headers['content-type']?.slice(0, 100));
  }
}
