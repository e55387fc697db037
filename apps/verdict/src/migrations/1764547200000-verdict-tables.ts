import { registerVersionTable, tenantTable } from '@lacuna/postgres';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const tables = {
  evidence: `create table evidence (
    tenant_id text not null, question_id text not null, generation int not null, event_id text not null,
    type text not null, position numeric not null, data json not null, data_sha256 text not null, conflicting boolean not null default false,
    primary key (tenant_id, question_id, generation, event_id, type))`,
  generation: `create table generation (
    tenant_id text not null, question_id text not null, generation int not null, register_hash text not null,
    ended_at timestamptz not null, decided_at timestamptz, verdict text, receipt_id text,
    primary key (tenant_id, question_id, generation))`,
  question_salt: `create table question_salt (
    tenant_id text not null, question_id text not null, salt bytea not null,
    primary key (tenant_id, question_id))`,
  receipt_head: `create table receipt_head (tenant_id text primary key, next_leaf_index bigint not null)`,
  receipt: `create table receipt (
    tenant_id text not null, leaf_index bigint not null, question_id text not null, generation int not null,
    receipt_id text not null, receipt_hash text not null, envelope bytea not null,
    primary key (tenant_id, leaf_index), unique (tenant_id, question_id, generation))`,
};

/** Evidence of generations, register versions, salts, and the receipt log with its head per tenant. */
export class VerdictTables1764547200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const [name, statement] of Object.entries(tables)) {
      await runner.query(statement);
      for (const policy of tenantTable(name)) await runner.query(policy);
    }
    for (const statement of registerVersionTable) await runner.query(statement);
    await runner.query('create index generation_waiting on generation (tenant_id, register_hash) where decided_at is null');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table register_version');
    for (const name of Object.keys(tables).reverse()) await runner.query(`drop table ${name}`);
  }
}
