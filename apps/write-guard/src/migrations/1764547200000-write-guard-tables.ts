import { registerVersionTable, tenantTable } from '@lacuna/postgres';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const tables = {
  question: `create table question (
    tenant_id text not null, question_id text not null, asked json not null, newest_generation int not null default 0, stale_reruns int not null default 0,
    primary key (tenant_id, question_id))`,
  /** Verdicts that wait for their question, their register, or the clearing of a stalled delivery. */
  waiting_verdict: `create table waiting_verdict (
    tenant_id text not null, question_id text not null, generation int not null, register_hash text not null, verdict json not null,
    waits_since timestamptz not null,
    primary key (tenant_id, question_id, generation))`,
  authorisation: `create table authorisation (
    tenant_id text not null, authorisation_id text not null, question_id text not null, policy text not null, target text not null,
    key_digest text not null, payload_hash text not null, state text not null, expires_at timestamptz not null, created_at timestamptz not null,
    primary key (tenant_id, authorisation_id), unique (tenant_id, question_id))`,
  permit: `create table permit (
    tenant_id text not null, permit_id text not null, authorisation_id text not null, question_id text not null, generation int not null,
    receipt_hash text not null, granted_at timestamptz not null,
    primary key (tenant_id, permit_id), unique (tenant_id, authorisation_id))`,
  /** The key policy that a target's slots have their digests under, bound by its first write. */
  key_policy: `create table key_policy (
    tenant_id text not null, target text not null, policy text not null,
    primary key (tenant_id, target))`,
  /** W1: at most one per key, by this constraint. */
  slot: `create table slot (
    tenant_id text not null, target text not null, key_digest text not null, state text not null check (state in ('settled', 'in-flight', 'unknown')),
    record_id text, question_id text not null, uses int not null default 1, taken_at timestamptz not null,
    primary key (tenant_id, target, key_digest), check (state <> 'settled' or record_id is not null))`,
  /** The target of kind own-table. */
  record: `create table record (
    tenant_id text not null, target text not null, record_id text not null, key_digest text not null, status text not null, payload json not null,
    created_by text not null, created_at timestamptz not null,
    primary key (tenant_id, target, record_id), unique (tenant_id, target, key_digest))`,
  /** What became of a generation's attempt, once. `asked-again`: no answer yet, the next generation gives it. */
  answer: `create table answer (
    tenant_id text not null, question_id text not null, generation int not null,
    answer text not null check (answer in ('created', 'exists', 'refused', 'unknown', 'asked-again')),
    record_id text, reason text, at timestamptz not null,
    primary key (tenant_id, question_id, generation))`,
  /** Cleared ones stay, so that a repeated stall does not undo its clearing. */
  stalled_delivery: `create table stalled_delivery (
    tenant_id text not null, question_id text not null, consumer_group text not null, message text not null, cleared boolean not null,
    primary key (tenant_id, question_id, consumer_group, message))`,
};

/** Authorisations, permits, slots and records of the write boundary. */
export class WriteGuardTables1764547200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const [name, statement] of Object.entries(tables)) {
      await runner.query(statement);
      for (const policy of tenantTable(name)) await runner.query(policy);
    }
    for (const statement of registerVersionTable) await runner.query(statement);
    await runner.query('create index waiting_verdict_register on waiting_verdict (tenant_id, register_hash)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table register_version');
    for (const name of Object.keys(tables).reverse()) await runner.query(`drop table ${name}`);
  }
}
