/**
 * The oracle's SQL. `$1` is the seed, `$2` the count. The order of a choice is the MD5 of seed and id: a function of the data alone.
 * Identity is (account, canonical reference, canonical instance) of sample.service_request_truth.
 */

/** Rows that block and whose identity nothing else in their account has, one per account before a second of any. */
export const PRESENT_SQL = `
with alone as (
  select min(id) as id
  from sample.service_request_truth
  group by account, canonical_reference, canonical_instance
  having count(*) = 1
), ranked as (
  select id, row_number() over (partition by r.account order by md5($1::int || ':present:' || id)) as turn
  from alone join sample.service_request r using (id)
  where r.status in ('open', 'in-progress', 'reopened')
)
select id, r.account, r.reference, r.instance, t.canonical_reference, t.canonical_instance
from ranked join sample.service_request r using (id) join sample.service_request_truth t using (id)
order by turn, md5($1::int || ':present:' || id)
limit $2::int`;

/**
 * Identities that no row of the account has, in seven kinds, taken in turn. Each kind starts from a row picked at random (`seed_row`) or from an
 * account of a given size; whatever a row of the account already has is taken out at the end, whichever kind it came from. A reference of the
 * year 2031 belongs to no generated row.
 */
export const ABSENT_SQL = `
with size as (
  select a.id as account, count(t.id) as requests
  from sample.account a left join sample.service_request_truth t on t.account = a.id
  group by a.id
), seed_row as materialized (
  select *, row_number() over (order by draw) as n
  from (select t.*, md5($1::int || ':absent:' || t.id) as draw from sample.service_request_truth t) drawn
  order by draw
  limit 4 * $2::int + 100
), other_account as (
  select account, row_number() over (order by md5($1::int || ':account:' || account)) as n, count(*) over () as accounts
  from size where requests > 0
), unused as (
  select account, requests, 'inv2031' || lpad((('x' || substr(md5($1::int || ':unused:' || account || ':' || turn), 1, 7))::bit(28)::int % 100000)::text, 5, '0')
    as canonical_reference, md5($1::int || ':unused:' || account || ':' || turn) as draw
  from size cross join lateral generate_series(
    1, greatest(1, ceil($2::numeric / 7 / nullif((select count(*) from size where requests = 500), 0)))::int) as turn
  where requests = 500 or requests < 20
), candidate as (
  select 'reference-of-another-account' as near_miss, o.account, s.canonical_reference, s.canonical_instance, s.draw
  from seed_row s join other_account o on o.n = 1 + s.n % o.accounts
  where s.n % 4 = 0 and o.account <> s.account
  union all
  select 'instance-of-no-such-row', account, canonical_reference, case canonical_instance when 'eu1' then 'us1' else 'eu1' end, draw
  from seed_row where n % 4 = 1
  union all
  select 'last-digit-changed', account,
    left(canonical_reference, -1) || (right(canonical_reference, 1)::int + 1) % 10, canonical_instance, draw
  from seed_row where n % 4 = 2 and canonical_reference ~ '[0-9]$'
  union all
  select 'last-digit-missing', account, left(canonical_reference, -1), canonical_instance, draw
  from seed_row where n % 4 = 3 and canonical_reference ~ '[0-9]{2}$'
  union all
  select case requests when 500 then 'full-account' when 0 then 'empty-account' else 'small-account' end,
    account, canonical_reference, 'eu1', draw
  from unused
), absent as (
  select c.*, row_number() over (partition by near_miss order by draw) as turn
  from (select distinct on (account, canonical_reference, canonical_instance) * from candidate
        order by account, canonical_reference, canonical_instance, near_miss, draw) c
  where not exists (
    select from sample.service_request_truth t
    where t.account = c.account and t.canonical_reference = c.canonical_reference
      and (t.canonical_instance = c.canonical_instance or c.near_miss <> 'instance-of-no-such-row')
  )
)
select near_miss, account, canonical_reference, canonical_instance
from absent
order by turn, near_miss
limit $2::int`;
