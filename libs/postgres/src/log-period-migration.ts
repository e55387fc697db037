import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Events by how long they are kept, and then by weeks: what has expired is dropped as a whole table. `days` of a head is how long its topic is
 * kept, 0 for ever, and never changes: it says where its events are. Events that are kept for ever lie in one table that is never dropped.
 * Events from before this migration are kept for ever.
 */
export class LogPeriods1700000000003 implements MigrationInterface {
  readonly name = 'LogPeriods1700000000003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table lacuna_log.head add column days integer not null default 0;
      alter table lacuna_log.event rename to event_kept;
      alter table lacuna_log.event_kept add column days integer not null default 0;
      create table lacuna_log.event (like lacuna_log.event_kept including defaults) partition by list (days);
      alter table lacuna_log.event attach partition lacuna_log.event_kept for values in (0);

      create function lacuna_log.make_class(kept_days integer) returns void language plpgsql as $make_class$
      declare name text := 'event_d' || kept_days;
      begin
        perform pg_advisory_xact_lock(7236914207);
        if kept_days = 0 or to_regclass('lacuna_log.' || name) is not null then return; end if;
        execute format('create table lacuna_log.%I (like lacuna_log.event including defaults) partition by range (at)', name);
        execute format('alter table lacuna_log.event attach partition lacuna_log.%I for values in (%s)', name, kept_days);
      end
      $make_class$;

      create function lacuna_log.make_period(kept_days integer, moment timestamptz) returns void language plpgsql as $make_period$
      declare
        begins timestamp := date_trunc('week', moment at time zone 'UTC');
        name text := 'event_d' || kept_days || '_' || to_char(begins, 'YYYYMMDD');
      begin
        if kept_days = 0 or to_regclass('lacuna_log.' || name) is not null then return; end if;
        perform pg_advisory_xact_lock(7236914207);
        if to_regclass('lacuna_log.' || name) is not null then return; end if;
        execute format('create table lacuna_log.%I (like lacuna_log.event including defaults, primary key (topic, partition, position))', name);
        execute format('alter table lacuna_log.%I attach partition lacuna_log.%I for values from (%L) to (%L)', 'event_d' || kept_days, name,
          begins at time zone 'UTC', (begins + interval '7 days') at time zone 'UTC');
      end
      $make_period$;

      create function lacuna_log.drop_expired(moment timestamptz) returns setof text language plpgsql as $drop_expired$
      declare period record;
      begin
        for period in
          select relname, substring(relname from '^event_d([0-9]+)_')::integer as kept_days,
              to_date(substring(relname from '_([0-9]{8})$'), 'YYYYMMDD')::timestamp + interval '7 days' as ends
            from pg_class where relnamespace = 'lacuna_log'::regnamespace and relkind = 'r' and relname ~ '^event_d[1-9][0-9]*_[0-9]{8}$'
            order by relname
        loop
          if period.ends + make_interval(days => period.kept_days) <= moment at time zone 'UTC' then
            execute format('drop table lacuna_log.%I', period.relname);
            return next period.relname;
          end if;
        end loop;
      end
      $drop_expired$;

      create or replace function lacuna_log.append(topics text[], partitions integer[], keys bytea[], contents bytea[], header_texts json[])
      returns void language plpgsql as $append$
      declare
        wanted record;
        base bigint;
        kept_days integer;
        moment timestamptz;
      begin
        for wanted in
          select t.topic, t.partition, count(*) as messages from unnest(topics, partitions) as t(topic, partition)
          group by t.topic, t.partition order by t.topic, t.partition
        loop
          update lacuna_log.head h set next_position = h.next_position + wanted.messages
            where h.topic = wanted.topic and h.partition = wanted.partition
            returning h.next_position - wanted.messages, h.days into base, kept_days;
          if not found then
            raise exception 'the event log has no topic "%": make it with ensureTopics', wanted.topic using errcode = 'undefined_object';
          end if;
          moment := clock_timestamp();
          perform lacuna_log.make_period(kept_days, moment);
          insert into lacuna_log.event (topic, partition, position, key, value, headers, at, days)
            select m.topic, m.partition, base - 1 + row_number() over (order by m.ordinal), m.key, m.content, m.headers, moment, kept_days
              from unnest(topics, partitions, keys, contents, header_texts) with ordinality
                as m(topic, partition, key, content, headers, ordinal)
              where m.topic = wanted.topic and m.partition = wanted.partition;
        end loop;
      end
      $append$;
    `);
  }

  async down(): Promise<void> {
    throw new Error('the event log is not put back into one table: restore a backup');
  }
}
