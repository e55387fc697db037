import type { Database, Transaction } from '@lacuna/messaging';
import { DATABASE } from '@lacuna/runtime';
import { Get, Inject, Param } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiResponse } from '@nestjs/swagger';
import { ApiController } from '../access/api-controller.js';
import { Caller, Roles } from '../access/api-key.guard.js';
import type { Principal } from '../access/api-keys.js';
import { IdParameter } from '../http/id-parameter.js';
import { ProblemView } from '../http/problem.dto.js';
import { unknownRegister } from '../http/problems.js';
import { newestRegister, newestRegisters } from './register-table.js';
import { registerDetailView, registerList } from './register-view.js';
import { RegisterDetailView, RegisterList } from './register.dto.js';

const REGISTERS_MAX = 200;

@ApiController('v1/registers', 'registers')
export class RegistersController {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  @Get()
  @Roles('asker', 'reviewer', 'approver', 'admin')
  @ApiOperation({ summary: 'Registers, by name, each in its newest version' })
  @ApiResponse({ status: 200, type: RegisterList })
  async list(@Caller() who: Principal): Promise<RegisterList> {
    const rows = await this.reading(who, (tx) => newestRegisters(tx, who.tenantId, REGISTERS_MAX + 1));
    return registerList(rows, REGISTERS_MAX);
  }

  @Get(':name')
  @Roles('asker', 'reviewer', 'approver', 'admin')
  @ApiOperation({ summary: 'One register' })
  @ApiParam({ name: 'name' })
  @ApiResponse({ status: 200, type: RegisterDetailView })
  @ApiResponse({ status: 404, type: ProblemView, description: 'No such register.' })
  async one(@Caller() who: Principal, @Param('name', IdParameter) name: string): Promise<RegisterDetailView> {
    const row = await this.reading(who, (tx) => newestRegister(tx, who.tenantId, name));
    if (!row) throw unknownRegister(name);
    return registerDetailView(row);
  }

  private reading<T>(who: Principal, read: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.database.transaction(async (tx) => {
      await tx.actFor(who.tenantId);
      return read(tx);
    });
  }
}
