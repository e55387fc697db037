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

/** Writes that a person authorises, with what would be written. */
export class Authorisations1764633600001 implements MigrationInterface {
  readonly name = 'Authorisations1764633600001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table question add column payload json');
    await runner.query(`create table authorisation (
      tenant_id text not null, authorisation_id text not null, question_id text not null, body jsonb not null, requested_at timestamptz not null,
      over_at timestamptz, outcome text, primary key (tenant_id, authorisation_id))`);
    await runner.query(`create table authorisation_decision (
      tenant_id text not null, authorisation_id text not null, decision text not null, principal text not null, note text,
      decided_at timestamptz not null, primary key (tenant_id, authorisation_id))`);
    for (const table of ['authorisation', 'authorisation_decision'])
      for (const statement of tenantTable(table)) await runner.query(statement);
    await runner.query(
      'create index authorisation_newest on authorisation (tenant_id, (over_at is not null), requested_at desc, authorisation_id desc)',
    );
    await runner.query('create index authorisation_question on authorisation (tenant_id, question_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table authorisation_decision, authorisation');
    await runner.query('alter table question drop column payload');
  }
}

/** Risks that people accepted, beside the verdicts of their questions. */
export class Exceptions1765065600001 implements MigrationInterface {
  readonly name = 'Exceptions1765065600001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create table exception (
      tenant_id text not null, exception_id text not null, question_id text not null, generation int not null, body jsonb not null,
      granted_at timestamptz not null, primary key (tenant_id, exception_id))`);
    for (const statement of tenantTable('exception')) await runner.query(statement);
    await runner.query('create index exception_question on exception (tenant_id, question_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table exception');
  }
}

/** In the order in which they run. */
export const gatewayMigrations = [GatewayTables1764500000001, Authorisations1764633600001, Exceptions1765065600001] as const;
