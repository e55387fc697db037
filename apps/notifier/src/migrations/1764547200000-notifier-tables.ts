import { registerVersionTable, tenantTable } from '@lacuna/postgres';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const tables = {
  /** What is known of a question for its cases. */
  question: `create table question (
    tenant_id text not null, question_id text not null, register_name text not null, register_hash text not null,
    primary key (tenant_id, question_id))`,
  /** The newest generation that a verdict was seen of: an older one asks for nobody any more. */
  newest_verdict: `create table newest_verdict (
    tenant_id text not null, question_id text not null, generation int not null,
    primary key (tenant_id, question_id))`,
  auto_rerun: `create table auto_rerun (
    tenant_id text not null, question_id text not null, generation int not null, asked_at timestamptz not null,
    primary key (tenant_id, question_id, generation))`,
  case_file: `create table case_file (
    tenant_id text not null, case_id text not null, question_id text not null, generation int not null, subject text not null,
    owner text not null, opened_at timestamptz not null, closed_at timestamptz, outcome text,
    primary key (tenant_id, case_id))`,
  delivery: `create table delivery (
    tenant_id text not null, case_id text not null, channel text not null, state text not null check (state in ('queued', 'delivered', 'given-up')),
    attempts int not null default 0, last_problem text, at timestamptz not null,
    primary key (tenant_id, case_id, channel))`,
};

/** Cases, automatic reruns and deliveries. */
export class NotifierTables1764547200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const [name, statement] of Object.entries(tables)) {
      await runner.query(statement);
      for (const policy of tenantTable(name)) await runner.query(policy);
    }
    for (const statement of registerVersionTable) await runner.query(statement);
    await runner.query('create index case_file_open on case_file (tenant_id, question_id) where closed_at is null');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table register_version');
    for (const name of Object.keys(tables).reverse()) await runner.query(`drop table ${name}`);
  }
}
