import { tenantTable } from '@lacuna/postgres';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The newest result of each control of a register version. */
export class ControlChecks1764720000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create table control_check (
      tenant_id text not null, register_hash text not null, source text not null, record_id text not null,
      result text not null check (result in ('found', 'missed', 'stale')), checked_at timestamptz not null,
      primary key (tenant_id, register_hash, source, record_id))`);
    for (const policy of tenantTable('control_check')) await runner.query(policy);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table control_check');
  }
}
