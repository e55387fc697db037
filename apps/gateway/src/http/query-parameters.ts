import { applyDecorators, Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiQuery, ApiResponse } from '@nestjs/swagger';
import type { Request } from 'express';
import { LIST_ROWS_DEFAULT, LIST_ROWS_MAX } from './cursor.js';
import { ProblemView } from './problem.dto.js';
import { invalidParameter } from './problems.js';

const NAMES = 'lacuna:query-parameters';

interface QueryParameter {
  readonly description: string;
  readonly schema: { readonly type: 'integer' | 'string'; readonly [keyword: string]: unknown };
}

/** The query parameters of a handler, all optional: what OpenAPI says of them, and the only ones that are let in. */
export function QueryParameters(parameters: Readonly<Record<string, QueryParameter>>): MethodDecorator {
  const described = Object.entries(parameters).map(([name, { description, schema }]) =>
    ApiQuery({ name, required: false, description, schema: { ...schema } as object }),
  );
  const refused = ApiResponse({ status: 400, type: ProblemView, description: 'A parameter that is not valid, or not known.' });
  return applyDecorators(SetMetadata(NAMES, Object.keys(parameters)), ...described, refused);
}

export const listParameters = {
  cursor: { description: '`nextCursor` of the page before.', schema: { type: 'string' } },
  limit: { description: 'Rows on a page.', schema: { type: 'integer', minimum: 1, maximum: LIST_ROWS_MAX, default: LIST_ROWS_DEFAULT } },
} as const;

/** A misspelt parameter would silently change what is answered: it is refused. */
@Injectable()
export class KnownParameters implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const known = this.reflector.get<string[] | undefined>(NAMES, context.getHandler()) ?? [];
    const unknown = Object.keys(context.switchToHttp().getRequest<Request>().query).find((name) => !known.includes(name));
    if (unknown === undefined) return true;
    const offered = known.length > 0 ? `there are ${known.join(', ')}` : 'there are none';
    throw invalidParameter(unknown.slice(0, 100), `is not a parameter here; ${offered}`);
  }
}
