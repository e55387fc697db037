import { Body, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiResponse } from '@nestjs/swagger';
import { ApiController } from '../access/api-controller.js';
import { Caller, Roles } from '../access/api-key.guard.js';
import type { Principal } from '../access/api-keys.js';
import { LIST_ROWS_DEFAULT, LIST_ROWS_MAX } from '../http/cursor.js';
import { IdParameter } from '../http/id-parameter.js';
import { JsonBody } from '../http/json-body.js';
import { ProblemView } from '../http/problem.dto.js';
import { invalidParameter } from '../http/problems.js';
import { listParameters, QueryParameters } from '../http/query-parameters.js';
import { wholeNumber } from '../http/whole-number.js';
import type { AuthorisationFilter } from './authorisation-row.js';
import { AuthorisationList, AuthorisationView, DecideAuthorisationBody } from './authorisation.dto.js';
import { Authorise } from './authorise.js';
import { ReadAuthorisations } from './read-authorisations.js';

@ApiController('v1/authorisations', 'authorisations')
export class AuthorisationsController {
  constructor(
    private readonly readAuthorisations: ReadAuthorisations,
    private readonly authorise: Authorise,
  ) {}

  @Get()
  @Roles('asker', 'reviewer', 'approver', 'admin')
  @ApiOperation({ summary: 'Writes that a person authorises, those that wait first' })
  @QueryParameters({
    state: { description: 'Which of them.', schema: { type: 'string', enum: ['open', 'over', 'all'], default: 'all' } },
    ...listParameters,
  })
  @ApiResponse({ status: 200, type: AuthorisationList })
  list(
    @Caller() who: Principal,
    @Query('state') state: string | undefined,
    @Query('cursor') cursor: string | undefined,
    @Query('limit') limit: string | undefined,
  ): Promise<AuthorisationList> {
    const rowsMax = wholeNumber('limit', limit, { min: 1, max: LIST_ROWS_MAX, missing: LIST_ROWS_DEFAULT });
    return this.readAuthorisations.list(who, filterOf(state), cursor, rowsMax);
  }

  @Get(':id')
  @Roles('asker', 'reviewer', 'approver', 'admin')
  @ApiOperation({ summary: 'One authorisation, with what would be written' })
  @ApiParam({ name: 'id' })
  @ApiResponse({ status: 200, type: AuthorisationView })
  @ApiResponse({ status: 404, type: ProblemView, description: 'No such authorisation.' })
  async one(@Caller() who: Principal, @Param('id', IdParameter) id: string): Promise<AuthorisationView> {
    return this.readAuthorisations.one(who, id);
  }

  @Post(':id/decisions')
  @HttpCode(202)
  @Roles('approver', 'admin')
  @ApiOperation({ summary: 'Approve or decline a write' })
  @ApiParam({ name: 'id' })
  @ApiResponse({ status: 202, type: AuthorisationView, description: 'Recorded, now or before.' })
  @ApiResponse({ status: 400, type: ProblemView, description: 'No JSON, an empty body, or a parameter that is not valid or not known.' })
  @ApiResponse({ status: 404, type: ProblemView, description: 'No such authorisation.' })
  @ApiResponse({ status: 409, type: ProblemView, description: 'It is over, expired, or was decided otherwise.' })
  @ApiResponse({ status: 422, type: ProblemView, description: 'Invalid members, or the hash of another payload.' })
  async decide(
    @Caller() who: Principal,
    @Param('id', IdParameter) id: string,
    @Body(JsonBody) body: DecideAuthorisationBody,
  ): Promise<AuthorisationView> {
    const upToDate = await this.readAuthorisations.isUpToDate();
    return this.authorise.decide(who, await this.readAuthorisations.row(who, id), body, upToDate);
  }
}

function filterOf(state: string | undefined): AuthorisationFilter {
  if (state === undefined) return 'all';
  if (state === 'open' || state === 'over' || state === 'all') return state;
  throw invalidParameter('state', 'must be open, over or all');
}
