import { registerVersionTable, tenantTable } from '@lacuna/postgres';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const tables = {
  question: `create table question (
    tenant_id text not null, question_id text not null, asked json not null, exclusions json not null default '[]', generations int not null,
    primary key (tenant_id, question_id))`,
  generation: `create table generation (
    tenant_id text not null, question_id text not null, generation int not null, cause_id text not null, ended_at timestamptz,
    primary key (tenant_id, question_id, generation), unique (tenant_id, question_id, cause_id))`,
};

/** Questions with all their exclusions, and their generations with what caused each. */
export class SearchRunnerTables1764547200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const [name, statement] of Object.entries(tables)) {
      await runner.query(statement);
      for (const policy of tenantTable(name)) await runner.query(policy);
    }
    for (const statement of registerVersionTable) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table register_version');
    for (const name of Object.keys(tables).reverse()) await runner.query(`drop table ${name}`);
  }
}
