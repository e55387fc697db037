/**
 * Tables of gateway. Every one holds a tenant's data: `tenant_id` first in its key, row-level security forced.
 * `body` columns are the event's own data: one shape, defined once in libs/events.
 */
export const gatewayTables: readonly { readonly name: string; readonly sql: string }[] = [
  {
    name: 'api_key',
    sql: `create table api_key (
      tenant_id text not null, key_hash text not null check (key_hash ~ '^[0-9a-f]{64}$'), principal text not null,
      roles text[] not null, issued_at timestamptz not null, primary key (tenant_id, key_hash))`,
  },
  {
    name: 'register',
    sql: `create table register (
      tenant_id text not null, name text not null, hash text not null, version text not null, body json not null,
      published_at timestamptz not null, loaded_at timestamptz not null, primary key (tenant_id, name, hash))`,
  },
  {
    name: 'question',
    sql: `create table question (
      tenant_id text not null, question_id text not null, register_name text not null, register_hash text not null, kind text not null,
      identifiers jsonb not null, principal text not null, budget jsonb not null, intent_kind text not null, payload_hash text,
      asked_at timestamptz not null, needs_as_of timestamptz not null, primary key (tenant_id, question_id))`,
  },
  {
    name: 'idempotency_key',
    sql: `create table idempotency_key (
      tenant_id text not null, principal text not null, operation text not null, key text not null, body_hash text not null,
      result_id text not null, used_at timestamptz not null, primary key (tenant_id, principal, operation, key))`,
  },
  {
    name: 'search_progress',
    sql: `create table search_progress (
      tenant_id text not null, question_id text not null, generation int not null, attempt_id text not null, pages int not null,
      primary key (tenant_id, question_id, generation, attempt_id))`,
  },
  {
    name: 'verdict',
    sql: `create table verdict (
      tenant_id text not null, question_id text not null, generation int not null, body jsonb not null, decided_at timestamptz not null,
      primary key (tenant_id, question_id, generation))`,
  },
  {
    name: 'receipt',
    sql: `create table receipt (
      tenant_id text not null, receipt_id text not null, question_id text not null, generation int not null, receipt_hash text not null,
      leaf_index bigint not null, envelope bytea not null, appended_at timestamptz not null, primary key (tenant_id, receipt_id))`,
  },
  {
    name: 'write_answer',
    sql: `create table write_answer (
      tenant_id text not null, question_id text not null, generation int not null, answer text not null, target text not null,
      record_id text, reason text, settled_at timestamptz not null, primary key (tenant_id, question_id, generation))`,
  },
  {
    name: 'review_case',
    sql: `create table review_case (
      tenant_id text not null, case_id text not null, question_id text not null, body jsonb not null, opened_at timestamptz not null,
      closed_at timestamptz, outcome text, primary key (tenant_id, case_id))`,
  },
  {
    name: 'decision',
    sql: `create table decision (
      tenant_id text not null, case_id text not null, decision_id text not null, question_id text not null, generation int not null,
      decision text not null, records jsonb not null, principal text not null, note text, decided_at timestamptz not null,
      primary key (tenant_id, case_id))`,
  },
  {
    name: 'stalled_delivery',
    sql: `create table stalled_delivery (
      tenant_id text not null, question_id text not null, consumer_group text not null, message text not null, stalled_at timestamptz,
      cleared_at timestamptz, primary key (tenant_id, question_id, consumer_group, message))`,
  },
];

export const gatewayIndexes: readonly string[] = [
  'create unique index api_key_hash on api_key (key_hash)',
  'create index idempotency_key_age on idempotency_key (tenant_id, used_at)',
  'create index register_newest on register (tenant_id, name, loaded_at desc)',
  'create index question_newest on question (tenant_id, asked_at desc, question_id desc)',
  'create index review_case_newest on review_case (tenant_id, (closed_at is not null), opened_at desc, case_id desc)',
  'create index review_case_question on review_case (tenant_id, question_id)',
  'create index decision_question on decision (tenant_id, question_id)',
];

/** A key shows its own row before the tenant is known; see access/api-keys.ts. */
export const presentedKeyPolicy = `create policy presented_key on api_key for select
  using (key_hash = nullif(current_setting('lacuna.api_key_hash', true), ''))`;
