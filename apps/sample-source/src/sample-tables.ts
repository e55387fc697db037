/** The tables of the sample source, as SQL. `service_request_truth` says what a row is meant to identify; only the oracle reads it. */
export const CREATE_MARKER = `
create schema if not exists sample;
create table if not exists sample.load (
  only_row   boolean primary key default true check (only_row),
  generator  integer not null,
  seed       integer not null,
  rows       integer not null,
  statements text[] not null,
  loaded_at  timestamptz not null default now()
)`;

export const CREATE_TABLES = `
drop table if exists sample.service_request_truth, sample.service_request, sample.account;
create table sample.account (id text collate "C" primary key);
create table sample.service_request (
  id          text collate "C" primary key,
  version     integer not null,
  account     text not null,
  reference   text not null,
  instance    text not null,
  status      text not null check (status in ('open', 'in-progress', 'reopened', 'closed', 'cancelled', 'merged')),
  merged_into text,
  opened_on   date not null,
  title       text not null
);
create table sample.service_request_truth (
  id                  text collate "C" primary key,
  account             text not null,
  canonical_reference text not null,
  canonical_instance  text not null
)`;

export const CREATE_INDEXES = `
create index service_request_account_id on sample.service_request (account, id);
create index service_request_truth_identity on sample.service_request_truth (account, canonical_reference, canonical_instance)`;

export const ANALYSE = 'analyze sample.account, sample.service_request, sample.service_request_truth';

export const INSERT_ACCOUNTS = 'insert into sample.account (id) select unnest($1::text[]) on conflict do nothing';

export const INSERT_REQUESTS = `
insert into sample.service_request (id, version, account, reference, instance, status, merged_into, opened_on, title)
select * from unnest($1::text[], $2::int[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::date[], $9::text[])
on conflict (id) do nothing`;

export const INSERT_TRUTH = `
insert into sample.service_request_truth (id, account, canonical_reference, canonical_instance)
select * from unnest($1::text[], $2::text[], $3::text[], $4::text[])`;
