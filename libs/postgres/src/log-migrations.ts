import type { MigrationInterface, QueryRunner } from 'typeorm';
import { LogPeriods1700000000003 } from './log-period-migration.js';

/** The schema that all services of one database share for the Postgres event log. */
export const LOG_SCHEMA = 'lacuna_log';

/**
 * The event log in tables. `append` draws positions from the heads of the partitions it writes, in sorted order, and each head's row lock
 * is kept until the caller commits: so the order of commits is the order of positions, and a reader never sees a gap that fills later.
 */
export class LogTables1700000000002 implements MigrationInterface {
  readonly name = 'LogTables1700000000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table lacuna_log.head (
        topic text not null,
        partition integer not null,
        next_position bigint not null default 0,
        primary key (topic, partition)
      ) with (fillfactor = 50);

      create table lacuna_log.event (
        topic text not null,
        partition integer not null,
        position bigint not null,
        key bytea,
        value bytea,
        headers json not null,
        at timestamptz not null default clock_timestamp(),
        primary key (topic, partition, position)
      );

      create function lacuna_log.append(topics text[], partitions integer[], keys bytea[], contents bytea[], header_texts json[])
      returns void language plpgsql as $append$
      declare
        wanted record;
        base bigint;
      begin
        for wanted in
          select t.topic, t.partition, count(*) as messages from unnest(topics, partitions) as t(topic, partition)
          group by t.topic, t.partition order by t.topic, t.partition
        loop
          update lacuna_log.head h set next_position = h.next_position + wanted.messages
            where h.topic = wanted.topic and h.partition = wanted.partition
            returning h.next_position - wanted.messages into base;
          if not found then
            raise exception 'the event log has no topic "%": make it with ensureTopics', wanted.topic using errcode = 'undefined_object';
          end if;
          insert into lacuna_log.event (topic, partition, position, key, value, headers)
            select m.topic, m.partition, base - 1 + row_number() over (order by m.ordinal), m.key, m.content, m.headers
              from unnest(topics, partitions, keys, contents, header_texts) with ordinality
                as m(topic, partition, key, content, headers, ordinal)
              where m.topic = wanted.topic and m.partition = wanted.partition;
        end loop;
      end
      $append$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop function lacuna_log.append(text[], integer[], bytea[], bytea[], json[]);
      drop table lacuna_log.event, lacuna_log.head;
    `);
  }
}

/** Run once per database, by `migrateLog`. */
export const logMigrations = [LogTables1700000000002, LogPeriods1700000000003] as const;
