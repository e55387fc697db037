-- Runs once, by the image, on an empty data folder. Services connect as roles that row-level security binds: none is a superuser, none
-- bypasses it. The sample is an outside system: a database of its own, written by its owner and read with a credential that can only read.
\set lacuna_password `cat /run/secrets/lacuna_database_password`
\set sample_owner_password `cat /run/secrets/sample_owner_password`
\set sample_reader_password `cat /run/secrets/sample_reader_password`

create role lacuna login nosuperuser nobypassrls nocreatedb nocreaterole noreplication password :'lacuna_password';
create database lacuna owner lacuna;
revoke all on database lacuna from public;

create role sample_owner login nosuperuser nobypassrls nocreatedb nocreaterole noreplication password :'sample_owner_password';
create role sample_reader login nosuperuser nobypassrls nocreatedb nocreaterole noreplication password :'sample_reader_password';
create database sample owner sample_owner;
revoke all on database sample from public;
grant connect on database sample to sample_reader;

\connect sample
alter default privileges for role sample_owner grant usage on schemas to sample_reader;
alter default privileges for role sample_owner grant select on tables to sample_reader;
