/** Results of control checks, the newest of each. SQL only; the caller's transaction acts for the tenant. */
import type { ControlCheck } from '@lacuna/connectors';
import type { Transaction } from '@lacuna/messaging';

export interface KeptCheck {
  readonly source: string;
  readonly recordId: string;
  readonly result: 'found' | 'missed' | 'stale';
  readonly checkedAt: string;
}

/** A check that came to nothing leaves the older result, which grows too old. */
export async function keepChecks(tx: Transaction, tenantId: string, registerHash: string, checks: readonly ControlCheck[]): Promise<void> {
  const known = checks.filter(({ result }) => result !== 'unknown');
  await tx.query(
    `insert into control_check (tenant_id, register_hash, source, record_id, result, checked_at)
     select $1, $2, c.source, c.record_id, c.result, c.checked_at::timestamptz
       from unnest($3::text[], $4::text[], $5::text[], $6::text[]) as c (source, record_id, result, checked_at)
     on conflict (tenant_id, register_hash, source, record_id)
       do update set result = excluded.result, checked_at = excluded.checked_at where control_check.checked_at < excluded.checked_at`,
    [
      tenantId,
      registerHash,
      known.map(({ source }) => source),
      known.map(({ recordId }) => recordId),
      known.map(({ result }) => result),
      known.map(({ checkedAt }) => checkedAt),
    ],
  );
}

export async function keptChecks(tx: Transaction, tenantId: string, registerHash: string): Promise<readonly KeptCheck[]> {
  const rows = await tx.query<{ source: string; record_id: string; result: KeptCheck['result']; checked_at: Date }>(
    'select source, record_id, result, checked_at from control_check where tenant_id = $1 and register_hash = $2',
    [tenantId, registerHash],
  );
  return rows.map((row) => ({
    source: row.source,
    recordId: row.record_id,
    result: row.result,
    checkedAt: row.checked_at.toISOString(),
  }));
}

/** An older version is checked only when it is asked: its job is not repeated. */
export async function isNewestVersion(tx: Transaction, tenantId: string, registerHash: string): Promise<boolean> {
  const [row] = await tx.query<{ newest: boolean }>(
    `select not exists (select from register_version other where other.tenant_id = v.tenant_id and other.register_name = v.register_name
        and other.published_at > v.published_at) as newest
       from register_version v where v.tenant_id = $1 and v.register_hash = $2`,
    [tenantId, registerHash],
  );
  return row?.newest ?? false;
}
