import { SERVICE_CONFIG, type ServiceConfig } from '@lacuna/runtime';
import { Get, Headers, Inject, Param, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiProduces, ApiResponse } from '@nestjs/swagger';
import type { Response } from 'express';
import { ApiController } from '../access/api-controller.js';
import { Caller, Roles } from '../access/api-key.guard.js';
import type { Principal } from '../access/api-keys.js';
import { IdParameter } from '../http/id-parameter.js';
import { ProblemView } from '../http/problem.dto.js';
import { invalidParameter } from '../http/problems.js';
import { QueryParameters } from '../http/query-parameters.js';
import { readPublicKey } from './public-key.js';
import { ReadReceipt, receiptView } from './read-receipt.js';
import { PublicKeyView, ReceiptView } from './receipt.dto.js';

const ENVELOPE_TYPE = 'application/vnd.dsse+json';

@ApiController('v1/receipts', 'receipts')
export class ReceiptsController {
  constructor(
    private readonly readReceipt: ReadReceipt,
    @Inject(SERVICE_CONFIG) private readonly config: ServiceConfig,
  ) {}

  @Get('key')
  @Roles('asker', 'reviewer', 'approver', 'admin')
  @ApiOperation({ summary: 'The public key of the receipts' })
  @ApiResponse({ status: 200, type: PublicKeyView })
  @ApiResponse({ status: 404, type: ProblemView, description: 'The key is not served here.' })
  key(): Promise<PublicKeyView> {
    return readPublicKey(this.config.signingPublicKeyFile);
  }

  /** A receipt names records, so it is for those who may see their ids (access/reveal-to.ts). */
  @Get(':id')
  @Roles('asker', 'reviewer', 'admin')
  @ApiOperation({ summary: 'A receipt', description: `With Accept: ${ENVELOPE_TYPE} or ?format=envelope: the envelope’s exact bytes.` })
  @ApiParam({ name: 'id' })
  @QueryParameters({ format: { description: 'Default: as Accept says.', schema: { type: 'string', enum: ['json', 'envelope'] } } })
  @ApiProduces('application/json', ENVELOPE_TYPE)
  @ApiResponse({ status: 200, type: ReceiptView })
  @ApiResponse({ status: 404, type: ProblemView, description: 'No such receipt.' })
  async one(
    @Caller() who: Principal,
    @Param('id', IdParameter) id: string,
    @Query('format') format: string | undefined,
    @Headers('accept') accept: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    if (format !== undefined && format !== 'json' && format !== 'envelope') throw invalidParameter('format', 'must be json or envelope');
    const row = await this.readReceipt.one(who.tenantId, id);
    const exact = format === 'envelope' || (format === undefined && (accept ?? '').includes('dsse'));
    response.setHeader('Vary', 'Accept, Authorization');
    if (exact) response.type(ENVELOPE_TYPE).end(row.envelope);
    else response.json(receiptView(row));
  }
}
