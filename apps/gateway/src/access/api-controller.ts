import { applyDecorators, Controller, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiResponse, ApiTags } from '@nestjs/swagger';
import { JsonOnly } from '../http/json-only.js';
import { KnownParameters } from '../http/query-parameters.js';
import { ProblemView } from '../http/problem.dto.js';
import { ApiKeyGuard } from './api-key.guard.js';

const problem = { type: ProblemView };

/** A controller of the API: no handler of it is reached without a key, parameters are known ones, and a body is JSON. */
export function ApiController(path: string, tag: string): ClassDecorator {
  return applyDecorators(
    Controller(path),
    UseGuards(ApiKeyGuard, KnownParameters, JsonOnly),
    ApiTags(tag),
    ApiBearerAuth(),
    ApiResponse({ status: 401, description: 'No key, or an unknown one.', ...problem }),
    ApiResponse({ status: 403, description: 'The key has none of the roles that are needed.', ...problem }),
    ApiResponse({ status: 503, description: 'Nothing answered, or it is not known yet: ask again.', ...problem }),
  );
}
