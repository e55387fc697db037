/**
 * API keys: `lk_` and 32 random bytes as base64url. Only the SHA-256 is stored. A key fixes tenant, principal and roles; nothing of these
 * is ever taken from a request.
 *
 * The key is looked up before the tenant is known. Row-level security stays forced on the table: a second policy shows a row to whoever
 * presents its hash (`lacuna.api_key_hash`), so that not even a mistaken query can list the keys of another tenant.
 */
import type { Database, Transaction } from '@lacuna/messaging';
import { sha256Hex } from '@lacuna/receipts';
import { randomBytes } from 'node:crypto';

export const roles = ['asker', 'reviewer', 'approver', 'admin'] as const;
export type Role = (typeof roles)[number];

/** Who calls, as the key says. */
export interface Principal {
  readonly tenantId: string;
  readonly principal: string;
  readonly roles: readonly Role[];
}

export interface NewApiKey extends Principal {
  readonly now: Date;
}

const KEY_BYTES = 32;
const KEY_FORM = /^lk_[A-Za-z0-9_-]{43}$/;

/** Makes a key and stores its hash. The plain key is answered once and is nowhere else. */
export async function issueApiKey(database: Database, { tenantId, principal, roles: granted, now }: NewApiKey): Promise<string> {
  assertGrantable({ tenantId, principal, roles: granted });
  const key = `lk_${randomBytes(KEY_BYTES).toString('base64url')}`;
  await database.transaction(async (tx) => {
    await tx.actFor(tenantId);
    await tx.query('insert into api_key (tenant_id, key_hash, principal, roles, issued_at) values ($1, $2, $3, $4, $5)', [
      tenantId,
      sha256Hex(key),
      principal,
      [...granted],
      now,
    ]);
  });
  return key;
}

/** Whose key it is; null when it is nobody's. */
export async function principalOfKey(database: Database, key: string): Promise<Principal | null> {
  if (!KEY_FORM.test(key)) return null;
  return database.transaction((tx) => findByHash(tx, sha256Hex(key)));
}

async function findByHash(tx: Transaction, keyHash: string): Promise<Principal | null> {
  await tx.query(`select set_config('lacuna.api_key_hash', $1, true)`, [keyHash]);
  const [row] = await tx.query<{ tenant_id: string; principal: string; roles: Role[] }>(
    'select tenant_id, principal, roles from api_key where key_hash = $1',
    [keyHash],
  );
  return row ? { tenantId: row.tenant_id, principal: row.principal, roles: row.roles } : null;
}

/** A key that no request could use, or that nobody could trace, is a bug of the caller. */
function assertGrantable({ tenantId, principal, roles: granted }: Principal): void {
  if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(tenantId)) throw new Error(`a tenant is lower-case letters, digits and hyphens, not "${tenantId}"`);
  if (principal === '' || principal.length > 200) throw new Error('a principal is 1 to 200 characters');
  const unknown = granted.filter((role) => !roles.includes(role));
  if (granted.length === 0 || unknown.length > 0) throw new Error(`roles are ${roles.join(', ')}, at least one; not ${unknown.join(', ')}`);
}
