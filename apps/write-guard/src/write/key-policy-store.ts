/** The key policy that a target's slots have their digests under. SQL only; `tx` acts for the tenant. */
import type { Transaction } from '@lacuna/messaging';

/** Binds these targets to these key policies where none is bound yet; answers the policy that each is bound to. */
export async function bindKeyPolicies(
  tx: Transaction,
  tenantId: string,
  wanted: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const targets = [...wanted.keys()].sort();
  const bound = await keyPolicies(tx, tenantId, targets);
  const unbound = targets.filter((target) => !bound.has(target));
  if (unbound.length === 0) return bound;
  await tx.query(
    `insert into key_policy (tenant_id, target, policy)
     select $1, p.target, p.policy from unnest($2::text[], $3::text[]) as p (target, policy) on conflict (tenant_id, target) do nothing`,
    [tenantId, unbound, unbound.map((target) => wanted.get(target))],
  );
  return keyPolicies(tx, tenantId, targets);
}

/** The key policies that first writes bound, by target; nothing for a target that nobody wrote to. */
export async function keyPolicies(tx: Transaction, tenantId: string, targets: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.query<{ target: string; policy: string }>(
    'select target, policy from key_policy where tenant_id = $1 and target = any ($2::text[])',
    [tenantId, targets],
  );
  return new Map(rows.map((row) => [row.target, row.policy]));
}
