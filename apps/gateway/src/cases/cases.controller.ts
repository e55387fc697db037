import { Body, Get, Headers, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiParam, ApiResponse } from '@nestjs/swagger';
import { ApiController } from '../access/api-controller.js';
import { Caller, Roles } from '../access/api-key.guard.js';
import type { Principal } from '../access/api-keys.js';
import { LIST_ROWS_DEFAULT, LIST_ROWS_MAX } from '../http/cursor.js';
import { IdParameter } from '../http/id-parameter.js';
import { readIdempotencyKey } from '../http/idempotency-key.js';
import { JsonBody } from '../http/json-body.js';
import { ProblemView } from '../http/problem.dto.js';
import { invalidParameter } from '../http/problems.js';
import { listParameters, QueryParameters } from '../http/query-parameters.js';
import { wholeNumber } from '../http/whole-number.js';
import type { CaseState } from './case-row.js';
import { CaseList, CaseView, DecideCaseBody } from './case.dto.js';
import { DecideCase } from './decide-case.js';
import { ReadCases } from './read-cases.js';

@ApiController('v1/cases', 'cases')
export class CasesController {
  constructor(
    private readonly readCases: ReadCases,
    private readonly decideCase: DecideCase,
  ) {}

  @Get()
  @Roles('asker', 'reviewer', 'approver', 'admin')
  @ApiOperation({ summary: 'Cases, open ones first' })
  @QueryParameters({
    state: { description: 'Which cases.', schema: { type: 'string', enum: ['open', 'closed', 'all'], default: 'all' } },
    ...listParameters,
  })
  @ApiResponse({ status: 200, type: CaseList })
  list(
    @Caller() who: Principal,
    @Query('state') state: string | undefined,
    @Query('cursor') cursor: string | undefined,
    @Query('limit') limit: string | undefined,
  ): Promise<CaseList> {
    const rowsMax = wholeNumber('limit', limit, { min: 1, max: LIST_ROWS_MAX, missing: LIST_ROWS_DEFAULT });
    return this.readCases.list(who, stateOf(state), cursor, rowsMax);
  }

  @Get(':id')
  @Roles('asker', 'reviewer', 'approver', 'admin')
  @ApiOperation({ summary: 'One case' })
  @ApiParam({ name: 'id' })
  @ApiResponse({ status: 200, type: CaseView })
  @ApiResponse({ status: 404, type: ProblemView, description: 'No such case.' })
  async one(@Caller() who: Principal, @Param('id', IdParameter) id: string): Promise<CaseView> {
    return this.readCases.one(who, id);
  }

  @Post(':id/decisions')
  @HttpCode(202)
  @Roles('reviewer', 'admin')
  @ApiOperation({ summary: 'Decide a case' })
  @ApiParam({ name: 'id' })
  @ApiHeader({ name: 'Idempotency-Key', required: false, description: 'A case is decided once with or without it.' })
  @ApiResponse({ status: 202, type: CaseView, description: 'Recorded, now or before.' })
  @ApiResponse({ status: 400, type: ProblemView, description: 'No JSON, an empty body, or a parameter that is not valid or not known.' })
  @ApiResponse({ status: 404, type: ProblemView, description: 'No such case.' })
  @ApiResponse({ status: 409, type: ProblemView, description: 'The case is closed, or was decided otherwise.' })
  @ApiResponse({ status: 422, type: ProblemView, description: 'Invalid members, or an idempotency key used with another body.' })
  async decide(
    @Caller() who: Principal,
    @Param('id', IdParameter) id: string,
    @Body(JsonBody) body: DecideCaseBody,
    @Headers('idempotency-key') key: string | undefined,
  ): Promise<CaseView> {
    const upToDate = await this.readCases.isUpToDate();
    const opened = await this.readCases.row(who, id);
    return this.decideCase.decide(who, { opened, upToDate }, body, readIdempotencyKey(key));
  }
}

function stateOf(state: string | undefined): CaseState {
  if (state === undefined) return 'all';
  if (state === 'open' || state === 'closed' || state === 'all') return state;
  throw invalidParameter('state', 'must be open, closed or all');
}
