import { tenantTable } from '@lacuna/postgres';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { gatewayIndexes, gatewayTables, presentedKeyPolicy } from './gateway-tables.js';

export class GatewayTables1764500000001 implements MigrationInterface {
  readonly name = 'GatewayTables1764500000001';

  async up(runner: QueryRunner): Promise<void> {
    for (const { name, sql } of gatewayTables) {
      await runner.query(sql);
      for (const statement of tenantTable(name)) await runner.query(statement);
    }
    for (const statement of [...gatewayIndexes, presentedKeyPolicy]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table ${gatewayTables.map(({ name }) => name).join(', ')}`);
  }
}

/** In the order in which they run. */
export const gatewayMigrations = [GatewayTables1764500000001] as const;
