/** Whether the two indexes of an exact lookup are there, as the server itself prints them. */
import { indexParts, type TablePlan } from './table-sql.js';

/** `$1` schema, `$2` table. */
export const INDEXES_SQL = `
select coalesce(pg_get_expr(i.indpred, i.indrelid), '') as predicate,
  array(select pg_get_indexdef(i.indexrelid, place, false) from generate_series(1, i.indnkeyatts::int) as place) as parts
from pg_index i
join pg_class t on t.oid = i.indrelid
join pg_namespace n on n.oid = t.relnamespace
join pg_class x on x.oid = i.indexrelid
join pg_am a on a.oid = x.relam
where n.nspname = $1 and t.relname = $2 and i.indisvalid and i.indisready and a.amname = 'btree'`;

export interface IndexRow {
  readonly predicate: string;
  readonly parts: readonly string[];
}

/**
 * One text for what we write and what the server prints: without casts to text, brackets, quotes of names, white space and case, all outside
 * of literals. A false match could only cost time: the statement finds the same rows by any index or none.
 */
const canonical = (sql: string): string =>
  sql
    .split(/('(?:[^']|'')*')/)
    .map((part, at) =>
      at % 2 === 1
        ? part
        : part
            .toLowerCase()
            .replace(/::text\b/g, '')
            .replace(/[\s()"]/g, ''),
    )
    .join('');

const isSame = (index: IndexRow, parts: readonly string[], where: string): boolean =>
  canonical(index.predicate) === canonical(where) &&
  index.parts.length === parts.length &&
  index.parts.every((part, at) => canonical(part) === canonical(parts[at] ?? ''));

export const hasLookupIndexes = (plan: TablePlan, indexes: readonly IndexRow[]): boolean => {
  const { lookup, irregular, where } = indexParts(plan);
  return indexes.some((index) => isSame(index, lookup, '')) && indexes.some((index) => isSame(index, irregular, where));
};
