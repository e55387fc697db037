/** Whether "after the last id" misses no row: from the server's own catalogue, in the snapshot that is read. */

/** Types of pg_catalog whose equality, order and text all agree: what one page ends with is where the next begins. */
const ORDERED_TYPES: readonly string[] = [
  'int2',
  'int4',
  'int8',
  'numeric',
  'float4',
  'float8',
  'oid',
  'uuid',
  'text',
  'varchar',
  'bpchar',
  'bytea',
  'date',
  'timestamp',
  'timestamptz',
];

/**
 * `$1` schema, `$2` table, `$3` column. `is_unique`: one complete, valid index over the column alone, in its own collation and its type's own
 * order. `is_one_table`: no child table whose rows that index does not know. A not-null constraint that was never validated proves nothing.
 */
export const ORDER_SQL = `
select case when y.typnamespace = 'pg_catalog'::regnamespace then y.typname::text end as type,
  c.attnotnull and not exists (
    select from pg_constraint k where k.conrelid = t.oid and k.contype = 'n' and not k.convalidated and c.attnum = any(k.conkey)
  ) as not_null,
  coalesce(l.collisdeterministic, true) as is_deterministic,
  t.relkind = 'p' or not exists (select from pg_inherits h where h.inhparent = t.oid) as is_one_table,
  exists (
    select from pg_index i
    join pg_class x on x.oid = i.indexrelid
    join pg_am a on a.oid = x.relam
    join pg_opclass o on o.oid = i.indclass[0]
    where i.indrelid = t.oid and i.indisunique and i.indisvalid and i.indisready and i.indpred is null and i.indnkeyatts = 1
      and i.indkey[0] = c.attnum and i.indcollation[0] = c.attcollation and o.opcdefault and a.amname = 'btree'
  ) as is_unique
from pg_attribute c
join pg_class t on t.oid = c.attrelid
join pg_namespace n on n.oid = t.relnamespace
join pg_type y on y.oid = c.atttypid
left join pg_collation l on l.oid = c.attcollation
where n.nspname = $1 and t.relname = $2 and c.attname = $3 and not c.attisdropped`;

export interface OrderRow {
  /** Null: not a type of pg_catalog. */
  readonly type: string | null;
  readonly not_null: boolean;
  readonly is_deterministic: boolean;
  readonly is_one_table: boolean;
  readonly is_unique: boolean;
}

export interface IdOrder {
  readonly isProven: boolean;
  /** What a cursor is cast to, so that it is compared as the ids are; null where only the server can tell. */
  readonly cursorType: string | null;
}

export const idOrder = (row: OrderRow | undefined): IdOrder => {
  const type = row?.type ?? null;
  const isOrdered = type !== null && ORDERED_TYPES.includes(type);
  const isProven = row !== undefined && isOrdered && row.not_null && row.is_deterministic && row.is_one_table && row.is_unique;
  return { isProven, cursorType: isOrdered ? `pg_catalog.${type}` : null };
};
