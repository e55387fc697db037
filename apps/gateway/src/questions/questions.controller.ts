import { Body, Get, Headers, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiParam, ApiResponse } from '@nestjs/swagger';
import type { Response } from 'express';
import { ApiController } from '../access/api-controller.js';
import { Caller, Roles } from '../access/api-key.guard.js';
import type { Principal } from '../access/api-keys.js';
import { LIST_ROWS_DEFAULT, LIST_ROWS_MAX } from '../http/cursor.js';
import { GrantExceptionBody } from '../exceptions/exception.dto.js';
import { GrantException } from '../exceptions/grant-exception.js';
import { IdParameter } from '../http/id-parameter.js';
import { readIdempotencyKey } from '../http/idempotency-key.js';
import { JsonBody } from '../http/json-body.js';
import { ProblemView } from '../http/problem.dto.js';
import { listParameters, QueryParameters } from '../http/query-parameters.js';
import { wholeNumber } from '../http/whole-number.js';
import { AnswerList, AnswerView } from './answer.dto.js';
import { AskQuestionBody } from './ask-question.body.js';
import { AskQuestion } from './ask-question.js';
import { ReadAnswers } from './read-answers.js';
import { WAIT_SECONDS_MAX, WaitForAnswer } from './wait-for-answer.js';

const waitRange = { min: 0, max: WAIT_SECONDS_MAX, missing: 0 };
const waitParameter = {
  wait: {
    description: 'Seconds to wait until the answer is settled: decided, written or refused where that was intended, its case open.',
    schema: { type: 'integer', minimum: 0, maximum: WAIT_SECONDS_MAX, default: 0 },
  },
} as const;

@ApiController('v1/questions', 'questions')
export class QuestionsController {
  constructor(
    private readonly askQuestion: AskQuestion,
    private readonly waitForAnswer: WaitForAnswer,
    private readonly readAnswers: ReadAnswers,
    private readonly grantException: GrantException,
  ) {}

  @Post()
  @HttpCode(202)
  @Roles('asker', 'admin')
  @ApiOperation({ summary: 'Ask a question' })
  @QueryParameters(waitParameter)
  @ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description: 'For seven days the same key and body give the same question. 1 to 200 characters.',
  })
  @ApiResponse({ status: 200, type: AnswerView, description: 'Settled within `wait`: nothing of it changes by itself.' })
  @ApiResponse({ status: 202, type: AnswerView, description: 'Accepted; the answer is at Location.' })
  @ApiResponse({ status: 400, type: ProblemView, description: 'No JSON, an empty body, or a parameter that is not valid or not known.' })
  @ApiResponse({ status: 404, type: ProblemView, description: 'No such register.' })
  @ApiResponse({ status: 413, type: ProblemView, description: 'The body is too large.' })
  @ApiResponse({ status: 415, type: ProblemView, description: 'The body is not application/json.' })
  @ApiResponse({ status: 422, type: ProblemView, description: 'Invalid members, or an idempotency key used with another body.' })
  async ask(
    @Caller() who: Principal,
    @Body(JsonBody) body: AskQuestionBody,
    @Headers('idempotency-key') key: string | undefined,
    @Query('wait') wait: string | undefined,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AnswerView> {
    const waitSeconds = wholeNumber('wait', wait, waitRange);
    const questionId = await this.askQuestion.ask(who, body, readIdempotencyKey(key));
    const { answer, settled } = await this.waitForAnswer.wait(who, questionId, waitSeconds, goneSignal(response));
    response.location(answer.links.self).status(settled && waitSeconds > 0 ? 200 : 202);
    return answer;
  }

  @Get(':id')
  @Roles('asker', 'reviewer', 'approver', 'admin')
  @ApiOperation({ summary: 'The answer to a question' })
  @ApiParam({ name: 'id' })
  @QueryParameters(waitParameter)
  @ApiResponse({ status: 200, type: AnswerView })
  @ApiResponse({ status: 404, type: ProblemView, description: 'It was never asked.' })
  async answer(
    @Caller() who: Principal,
    @Param('id', IdParameter) id: string,
    @Query('wait') wait: string | undefined,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AnswerView> {
    const { answer } = await this.waitForAnswer.wait(who, id, wholeNumber('wait', wait, waitRange), goneSignal(response));
    return answer;
  }

  @Post(':id/exceptions')
  @HttpCode(202)
  @Roles('approver', 'admin')
  @ApiOperation({ summary: 'Accept the risk of a hold: its write is done once, and the verdict stays' })
  @ApiParam({ name: 'id' })
  @ApiResponse({ status: 202, type: AnswerView, description: 'Recorded, now or before. The write is in the answer.' })
  @ApiResponse({ status: 400, type: ProblemView, description: 'No JSON, an empty body, or a parameter that is not valid or not known.' })
  @ApiResponse({ status: 404, type: ProblemView, description: 'It was never asked.' })
  @ApiResponse({ status: 409, type: ProblemView, description: 'It is not held, has a match, or has another exception for this receipt.' })
  @ApiResponse({ status: 422, type: ProblemView, description: 'Invalid members, or the hash of another receipt or payload.' })
  async except(
    @Caller() who: Principal,
    @Param('id', IdParameter) id: string,
    @Body(JsonBody) body: GrantExceptionBody,
  ): Promise<AnswerView> {
    await this.grantException.grant(who, id, body);
    return (await this.readAnswers.one(who, id)).answer;
  }

  @Get()
  @Roles('asker', 'reviewer', 'approver', 'admin')
  @ApiOperation({ summary: 'Questions, newest first' })
  @QueryParameters(listParameters)
  @ApiResponse({ status: 200, type: AnswerList })
  list(
    @Caller() who: Principal,
    @Query('cursor') cursor: string | undefined,
    @Query('limit') limit: string | undefined,
  ): Promise<AnswerList> {
    const rowsMax = wholeNumber('limit', limit, { min: 1, max: LIST_ROWS_MAX, missing: LIST_ROWS_DEFAULT });
    return this.readAnswers.newest(who, cursor, rowsMax);
  }
}

/** Aborts when the caller has gone before it was answered. */
function goneSignal(response: Response): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return gone.signal;
}
