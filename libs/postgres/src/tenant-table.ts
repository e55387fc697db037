/** Row-level security of tables with tenants' data. */
import { quoteName } from './quote-name.js';

/** Tables that hold ids, times and opaque bytes across tenants; reached through libs/messaging and libs/postgres only. */
export const queueTables: readonly string[] = ['job', 'migration', 'outbox', 'parked_message', 'position', 'stalled_key'];

/**
 * Statements that force row-level security on a table with a `tenant_id`: a transaction sees and writes the rows of the tenant it
 * acts for (`tx.actFor`), and none before that. Forced: the owner, who runs the services, is no exception.
 */
export function tenantTable(name: string): readonly string[] {
  const table = quoteName(name);
  const own = `tenant_id = current_setting('lacuna.tenant', true)`;
  return [
    `alter table ${table} enable row level security`,
    `alter table ${table} force row level security`,
    `create policy ${table}_tenant on ${table} using (${own}) with check (${own})`,
  ];
}

interface Queryable {
  query<Row extends object>(sql: string, parameters?: readonly unknown[]): Promise<Row[]>;
}

/** Tables of a schema whose rows would show across tenants: no forced row-level security, and not one of the queue tables. */
export async function tablesWithoutForcedRls(
  database: Queryable,
  schema: string,
  exceptions: readonly string[] = queueTables,
): Promise<string[]> {
  const rows = await database.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = $1 and c.relkind in ('r', 'p') and c.relname <> all ($2::text[])
        and not (c.relrowsecurity and c.relforcerowsecurity and exists (select from pg_policy p where p.polrelid = c.oid))
      order by 1`,
    [schema, exceptions],
  );
  return rows.map((row) => row.name);
}
