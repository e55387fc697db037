import type { MigrationInterface, QueryRunner } from 'typeorm';

/** One key may have had several records, one after the other: its slot names the last. */
export class SlotsAreUsedAgain1764892800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table record drop constraint record_tenant_id_target_key_digest_key');
    await runner.query('create index record_key on record (tenant_id, target, key_digest)');
  }

  /** @throws where a key has had several records by now. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index record_key');
    await runner.query('alter table record add constraint record_tenant_id_target_key_digest_key unique (tenant_id, target, key_digest)');
  }
}
