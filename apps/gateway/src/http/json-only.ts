import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { problem } from '@lacuna/runtime';
import { unsupportedMediaType } from './problems.js';

/** A body that the JSON parser has left alone would look like an empty one: it is refused by its type instead. */
@Injectable()
export class JsonOnly implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    if (request.method !== 'POST') return true;
    const type = request.is('application/json');
    // Express: null means that the request has no body at all, whatever its headers say.
    if (type === null || request.headers['content-length'] === '0')
      throw problem(400, 'empty-body', 'The body is empty', 'Send a JSON object as application/json.');
    if (type) return true;
    throw unsupportedMediaType(request.headers['content-type']?.slice(0, 100));
  }
}
