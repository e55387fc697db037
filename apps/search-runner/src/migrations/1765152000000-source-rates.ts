import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Requests to a source in its present time window: the table of rate-limiter-flexible. Its keys are digests, and no tenant's. */
export class SourceRates1765152000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'create unlogged table source_rate (key varchar(255) primary key, points integer not null default 0, expire bigint)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table source_rate');
  }
}
