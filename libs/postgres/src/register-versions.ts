/** The register versions a service has been told of, in a table of its own: `register_version`. SQL only; `tx` acts for the tenant. */
import type { RegisterPublished } from '@lacuna/events';
import type { Transaction } from '@lacuna/messaging';
import { tenantTable } from './tenant-table.js';

/** Statements for a service's migration. */
export const registerVersionTable: readonly string[] = [
  `create table register_version (
    tenant_id text not null, register_hash text not null, register_name text not null, register json not null, published_at timestamptz not null,
    primary key (tenant_id, register_hash))`,
  ...tenantTable('register_version'),
];

/** Keeps versions; one that is known changes nothing. */
export async function keepRegisterVersions(tx: Transaction, tenantId: string, published: readonly RegisterPublished[]): Promise<void> {
  const rows = [...new Map(published.map((register) => [register.registerHash, register])).values()];
  if (rows.length === 0) return;
  await tx.query(
    `insert into register_version (tenant_id, register_hash, register_name, register, published_at)
     select $1, r.register_hash, r.register_name, r.register::json, r.published_at::timestamptz
       from unnest($2::text[], $3::text[], $4::text[], $5::text[]) as r (register_hash, register_name, register, published_at)
     on conflict (tenant_id, register_hash) do nothing`,
    [
      tenantId,
      rows.map((row) => row.registerHash),
      rows.map((row) => row.registerName),
      rows.map((row) => JSON.stringify(row.register)),
      rows.map((row) => row.at),
    ],
  );
}

/** Registers as published, each with its `hash`, by hash. What is not known is not in the map. */
export async function registerVersions<R extends { readonly hash: string }>(
  tx: Transaction,
  tenantId: string,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, R>> {
  const rows = await tx.query<{ register_hash: string; register: object }>(
    'select register_hash, register from register_version where tenant_id = $1 and register_hash = any ($2::text[])',
    [tenantId, [...new Set(hashes)]],
  );
  return new Map(rows.map((row) => [row.register_hash, { ...row.register, hash: row.register_hash } as unknown as R]));
}

export interface NewestRegister {
  readonly register: Record<string, unknown>;
  readonly publishedAt: Date;
}

/** Of each of these names the version that was published last. */
export async function newestRegisters(tx: Transaction, tenantId: string, names: readonly string[]): Promise<Map<string, NewestRegister>> {
  const rows = await tx.query<{ register_name: string; register: Record<string, unknown>; published_at: Date }>(
    `select distinct on (register_name) register_name, register, published_at from register_version
      where tenant_id = $1 and register_name = any ($2::text[]) order by register_name, published_at desc`,
    [tenantId, names],
  );
  return new Map(rows.map((row) => [row.register_name, { register: row.register, publishedAt: row.published_at }]));
}
