import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The queue tables of one service: positions, outbox, jobs. Ids, times and opaque bytes; no row-level security. */
export class QueueTables1700000000001 implements MigrationInterface {
  readonly name = 'QueueTables1700000000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table position (
        "group" text not null,
        topic text not null,
        partition integer not null,
        next_offset bigint not null,
        updated_at timestamptz not null default clock_timestamp(),
        primary key ("group", topic, partition)
      ) with (fillfactor = 50);

      create table outbox (
        id bigint generated always as identity primary key,
        source text not null,
        events bytea not null,
        created_at timestamptz not null default clock_timestamp()
      );
      alter table outbox alter column events set storage external;
      create index outbox_source on outbox (source, id);
      create index outbox_created_at on outbox (created_at);

      create table job (
        queue text not null,
        tenant_id text not null,
        key text not null,
        payload bytea not null,
        stored bytea,
        fence bigint not null default 0,
        attempts integer not null default 0,
        due_at timestamptz not null,
        leased_until timestamptz,
        created_at timestamptz not null default clock_timestamp(),
        primary key (queue, tenant_id, key)
      ) with (fillfactor = 70);
      create index job_due on job (queue, due_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table job, outbox, position');
  }
}

/** Keys that wait behind a dead letter, with the messages that wait. */
export class ParkingTables1700000000002 implements MigrationInterface {
  readonly name = 'ParkingTables1700000000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table stalled_key (
        "group" text not null,
        topic text not null,
        key bytea not null,
        message text not null,
        since timestamptz not null default clock_timestamp(),
        primary key ("group", topic, key, message)
      );

      create table parked_message (
        "group" text not null,
        topic text not null,
        partition integer not null,
        message_offset bigint not null,
        key bytea not null,
        has_key boolean not null,
        has_value boolean not null,
        message bytea not null,
        stamped_at timestamptz not null,
        parked_at timestamptz not null,
        primary key ("group", topic, partition, message_offset)
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table parked_message, stalled_key');
  }
}

/** A key's next job is another job: the fences of both count from 1, and an old holder's must not fit the new one. */
export class JobIds1700000000003 implements MigrationInterface {
  readonly name = 'JobIds1700000000003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table job add column id bigint not null generated always as identity');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table job drop column id');
  }
}

/** A replay begins an epoch: its position rows are new ones, and an owner of the epoch before it moves none of them. */
export class PositionEpochs1700000000004 implements MigrationInterface {
  readonly name = 'PositionEpochs1700000000004';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table position add column epoch integer not null default 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table position drop column epoch');
  }
}

/** In front of every service's own migrations. */
export const queueMigrations = [
  QueueTables1700000000001,
  ParkingTables1700000000002,
  JobIds1700000000003,
  PositionEpochs1700000000004,
] as const;
