/**
 * A generation may end before its register version arrives here: two topics, two transactions. Of an end that misses its register and the
 * arrival of that register, each could look before the other commits, and nobody would decide. So both take one lock, and look behind it.
 */
import type { Register } from '@lacuna/evidence';
import type { Transaction } from '@lacuna/messaging';
import { registerVersions } from '@lacuna/postgres';

const ARRIVAL_LOCKS = 0x4c67;

/** Waits for whoever handles an end or the arrival of one of these versions; until the transaction ends. In order of the hashes. */
export async function lockArrivals(tx: Transaction, tenantId: string, registerHashes: readonly string[]): Promise<void> {
  for (const hash of [...new Set(registerHashes)].sort()) {
    await tx.query(`select pg_advisory_xact_lock($1, hashtext(current_schema() || '/' || $2))`, [ARRIVAL_LOCKS, `${tenantId}/${hash}`]);
  }
}

/** Register versions by hash. One that is not in the map has not arrived, and its arrival will see what this transaction has written. */
export async function arrivedRegisters(
  tx: Transaction,
  tenantId: string,
  registerHashes: readonly string[],
): Promise<ReadonlyMap<string, Register>> {
  const known = await registerVersions<Register>(tx, tenantId, registerHashes);
  const missing = registerHashes.filter((hash) => !known.has(hash));
  if (missing.length === 0) return known;
  await lockArrivals(tx, tenantId, missing);
  return new Map([...known, ...(await registerVersions<Register>(tx, tenantId, missing))]);
}
