import { tenantTable } from '@lacuna/postgres';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const OPEN = `state not in ('used', 'ended')`;

/** Authorisations that wait for a person, what kills or suspends them, and the latest match seen of a key. */
export class PeopleAuthorise1764633600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table authorisation
      drop constraint authorisation_tenant_id_question_id_key,
      add column generation int not null default 1,
      add column seen_to timestamptz,
      add column decided_at timestamptz,
      add column stale_reruns int not null default 0,
      add column approver text`);
    await runner.query(`create unique index authorisation_open on authorisation (tenant_id, question_id) where ${OPEN}`);
    await runner.query(`create index authorisation_open_key on authorisation (tenant_id, target, key_digest) where ${OPEN}`);
    await runner.query('create index permit_granted on permit (tenant_id, granted_at)');
    await runner.query('alter table question add column newest_verdict json');
    await runner.query(`create table key_evidence (
      tenant_id text not null, target text not null, key_digest text not null, match_seen_to timestamptz not null, at timestamptz not null,
      primary key (tenant_id, target, key_digest))`);
    for (const policy of tenantTable('key_evidence')) await runner.query(policy);
    await runner.query('create index key_evidence_age on key_evidence (tenant_id, at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table key_evidence');
    await runner.query('alter table question drop column newest_verdict');
    await runner.query('drop index permit_granted, authorisation_open_key, authorisation_open');
    await runner.query(`alter table authorisation drop column generation, drop column seen_to, drop column decided_at,
      drop column stale_reruns, drop column approver, add unique (tenant_id, question_id)`);
  }
}
