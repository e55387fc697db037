/** Slots and records of own-table targets. SQL only; `tx` acts for the tenant. */
import type { Transaction } from '@lacuna/messaging';

export interface SlotClaim {
  readonly target: string;
  readonly keyDigest: string;
  readonly questionId: string;
  readonly recordId: string;
  readonly payload: Record<string, unknown>;
  readonly principal: string;
  /** Records that the receipt shows in a reusable status: a slot that holds one of them may be used again. */
  readonly reusable: readonly string[];
  /** The register's reusable statuses: the slot's record must still have one of them. */
  readonly reusableStatuses: readonly string[];
}

export interface SlotState {
  readonly target: string;
  readonly keyDigest: string;
  readonly state: 'settled' | 'in-flight' | 'unknown';
  readonly recordId: string | null;
  /** Status of the record; null when there is none. */
  readonly status: string | null;
}

type SlotName = Pick<SlotState, 'target' | 'keyDigest'>;

/** Status that a new record of an own table has. */
const NEW_RECORD_STATUS = 'open';

export const slotKey = (slot: SlotName): string => JSON.stringify([slot.target, slot.keyDigest]);

/** Inserts the slots that are free, in the order given; answers the question of each slot that was inserted, by `slotKey`. */
export async function insertSlots(
  tx: Transaction,
  tenantId: string,
  claims: readonly SlotClaim[],
  now: Date,
): Promise<ReadonlyMap<string, string>> {
  const taken = await tx.query<{ target: string; key_digest: string; question_id: string }>(
    `insert into slot (tenant_id, target, key_digest, state, record_id, question_id, taken_at)
     select $1, c.target, c.key_digest, 'settled', c.record_id, c.question_id, $6
       from unnest($2::text[], $3::text[], $4::text[], $5::text[]) with ordinality as c (target, key_digest, record_id, question_id, position)
      order by c.position
     on conflict (tenant_id, target, key_digest) do nothing returning target, key_digest, question_id`,
    [
      tenantId,
      claims.map((claim) => claim.target),
      claims.map((claim) => claim.keyDigest),
      claims.map((claim) => claim.recordId),
      claims.map((claim) => claim.questionId),
      now,
    ],
  );
  return new Map(taken.map((row) => [slotKey({ target: row.target, keyDigest: row.key_digest }), row.question_id]));
}

/**
 * Uses slots again whose record the claim's receipt shows in a reusable status, by compare-and-swap: of two claims that saw the same record,
 * the second finds another one in the slot and changes nothing. Answers the question of each slot that was taken, by `slotKey`. Locks in the
 * order given; of equal keys the first counts.
 */
export async function reuseSlots(
  tx: Transaction,
  tenantId: string,
  claims: readonly SlotClaim[],
  now: Date,
): Promise<ReadonlyMap<string, string>> {
  const reusing = claims.filter(({ reusable }) => reusable.length > 0);
  if (reusing.length === 0) return new Map();
  const keys = [reusing.map((claim) => claim.target), reusing.map((claim) => claim.keyDigest)];
  await tx.query(
    `select from slot s join unnest($2::text[], $3::text[]) with ordinality as c (target, key_digest, position) using (target, key_digest)
      where s.tenant_id = $1 order by c.position for update of s`,
    [tenantId, ...keys],
  );
  const taken = await tx.query<{ target: string; key_digest: string; question_id: string }>(
    `with claim as (
       select distinct on (target, key_digest) * from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
         with ordinality as c (target, key_digest, record_id, question_id, reusable, statuses, position)
        order by target, key_digest, position)
     update slot s set record_id = c.record_id, question_id = c.question_id, uses = s.uses + 1, taken_at = $8
       from claim c, record r
      where s.tenant_id = $1 and s.target = c.target and s.key_digest = c.key_digest and s.state = 'settled'
        and c.reusable::jsonb ? s.record_id
        and r.tenant_id = s.tenant_id and r.target = s.target and r.record_id = s.record_id and c.statuses::jsonb ? r.status
     returning s.target, s.key_digest, s.question_id`,
    [
      tenantId,
      ...keys,
      reusing.map((claim) => claim.recordId),
      reusing.map((claim) => claim.questionId),
      reusing.map((claim) => JSON.stringify(claim.reusable)),
      reusing.map((claim) => JSON.stringify(claim.reusableStatuses)),
      now,
    ],
  );
  return new Map(taken.map((row) => [slotKey({ target: row.target, keyDigest: row.key_digest }), row.question_id]));
}

export async function insertRecords(tx: Transaction, tenantId: string, claims: readonly SlotClaim[], now: Date): Promise<void> {
  if (claims.length === 0) return;
  await tx.query(
    `insert into record (tenant_id, target, record_id, key_digest, status, payload, created_by, created_at)
     select $1, r.target, r.record_id, r.key_digest, $7, r.payload::json, r.created_by, $8
       from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) as r (target, record_id, key_digest, payload, created_by)`,
    [
      tenantId,
      claims.map((claim) => claim.target),
      claims.map((claim) => claim.recordId),
      claims.map((claim) => claim.keyDigest),
      claims.map((claim) => JSON.stringify(claim.payload)),
      claims.map((claim) => claim.principal),
      NEW_RECORD_STATUS,
      now,
    ],
  );
}

/** Slots as they stand, by `slotKey`; a free one is not in the map. */
export async function slotsByKey(tx: Transaction, tenantId: string, keys: readonly SlotName[]): Promise<ReadonlyMap<string, SlotState>> {
  if (keys.length === 0) return new Map();
  const rows = await tx.query<{
    target: string;
    key_digest: string;
    state: SlotState['state'];
    record_id: string | null;
    status: string | null;
  }>(
    `select s.target, s.key_digest, s.state, s.record_id, r.status
       from slot s
       join unnest($2::text[], $3::text[]) as k (target, key_digest) on s.target = k.target and s.key_digest = k.key_digest
       left join record r on r.tenant_id = s.tenant_id and r.target = s.target and r.record_id = s.record_id
      where s.tenant_id = $1`,
    [tenantId, keys.map((key) => key.target), keys.map((key) => key.keyDigest)],
  );
  return new Map(
    rows.map((row) => [
      slotKey({ target: row.target, keyDigest: row.key_digest }),
      { target: row.target, keyDigest: row.key_digest, state: row.state, recordId: row.record_id, status: row.status },
    ]),
  );
}

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
