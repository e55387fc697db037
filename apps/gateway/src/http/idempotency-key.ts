/**
 * `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): protects a retry, never two askers. A key belongs to a tenant, a principal
 * and an operation, and stands for one body.
 */
import type { Transaction } from '@lacuna/messaging';
import { invalidParameter, keyReused } from './problems.js';

export interface KeyUse {
  readonly tenantId: string;
  readonly principal: string;
  readonly operation: 'ask' | 'decide';
  /** Null: the request has no key, and is the first of its kind. */
  readonly key: string | null;
  /** SHA-256 of the canonical body. */
  readonly bodyHash: string;
  /** What the operation makes if it is the first with this key. */
  readonly resultId: string;
  readonly now: Date;
}

/** How long a key protects a retry. */
const KEY_LIFE_MS = 7 * 86_400_000;
const EXPIRED_KEYS_MAX = 20;
const KEY_FORM = /^[\x21-\x7e]{1,200}$/;

/** The header's value; a quoted string (RFC 8941) stands for what is inside. @throws the 400 problem for anything else. */
export function readIdempotencyKey(header: string | undefined): string | null {
  if (header === undefined) return null;
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header;
  if (!KEY_FORM.test(key)) throw invalidParameter('Idempotency-Key', 'must be 1 to 200 visible ASCII characters');
  return key;
}

/**
 * Takes the key for this use, or answers the id that its first use made. A racing first use is waited for: the insert blocks until the
 * other transaction ends, and the select after it sees what that one committed.
 * @throws the 422 problem when the first use had another body.
 */
export async function claimKey(tx: Transaction, use: KeyUse): Promise<string> {
  if (use.key === null) return use.resultId;
  const claimed = await tx.query(
    `insert into idempotency_key (tenant_id, principal, operation, key, body_hash, result_id, used_at)
     values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing returning 1`,
    [use.tenantId, use.principal, use.operation, use.key, use.bodyHash, use.resultId, use.now],
  );
  if (claimed.length === 0) return firstResult(tx, use);
  await removeExpired(tx, use);
  return use.resultId;
}

/** Each new key takes a few old ones with it, so that the table stays as large as a week is. */
async function removeExpired(tx: Transaction, { tenantId, now }: KeyUse): Promise<void> {
  await tx.query(
    `delete from idempotency_key where ctid = any (array(select ctid from idempotency_key where tenant_id = $1 and used_at < $2
       order by used_at limit ${EXPIRED_KEYS_MAX} for update skip locked))`,
    [tenantId, new Date(now.getTime() - KEY_LIFE_MS)],
  );
}

async function firstResult(tx: Transaction, { tenantId, principal, operation, key, bodyHash }: KeyUse): Promise<string> {
  const [first] = await tx.query<{ body_hash: string; result_id: string }>(
    `select body_hash, result_id from idempotency_key where tenant_id = $1 and principal = $2 and operation = $3 and key = $4`,
    [tenantId, principal, operation, key],
  );
  if (!first) throw new Error('an idempotency key is taken by a row that cannot be seen');
  if (first.body_hash !== bodyHash) throw keyReused();
  return first.result_id;
}
