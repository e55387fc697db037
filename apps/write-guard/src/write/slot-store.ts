/** Slots and records of own-table targets. SQL only; `tx` acts for the tenant. */
import type { Transaction } from '@lacuna/messaging';

export interface SlotClaim {
  readonly target: string;
  /** A system that is not ours: the slot is taken before anything is sent there. */
  readonly isOutside: boolean;
  readonly keyDigest: string;
  readonly questionId: string;
  readonly generation: number;
  /** Of the record in our own table. */
  readonly recordId: string;
  readonly payload: Record<string, unknown>;
  readonly principal: string;
  /** Records and unknown writes that the receipt shows to leave the key free: a slot that holds one of them may be used again. */
  readonly reusable: readonly string[];
  /** The register's reusable statuses: the record of an own table must still have one of them. */
  readonly reusableStatuses: readonly string[];
}

export interface SlotState {
  readonly target: string;
  readonly keyDigest: string;
  readonly state: 'free' | 'settled' | 'in-flight' | 'unknown' | 'arrived';
  /** Of an unknown write: its name, by which a receipt frees the slot. */
  readonly recordId: string | null;
  /** Status of the record; null when there is none, or it is not ours. */
  readonly status: string | null;
  /** At an outside target: evidence must be later than this to speak of the write. */
  readonly clearAt: Date | null;
}

type SlotName = Pick<SlotState, 'target' | 'keyDigest'>;

/** Status that a new record of an own table has. */
const NEW_RECORD_STATUS = 'open';
/** Names one send whose outcome is unknown: a later send of the slot has another name, so a receipt frees what it saw and nothing else. */
const UNKNOWN_WRITE = `'write:' || s.uses || ':' || floor(extract(epoch from s.sent_at) * 1000)::bigint`;

export const slotKey = (slot: SlotName): string => JSON.stringify([slot.target, slot.keyDigest]);

/** Inserts the slots that are free, in the order given; answers the question of each slot that was inserted, by `slotKey`. */
export async function insertSlots(
  tx: Transaction,
  tenantId: string,
  claims: readonly SlotClaim[],
  now: Date,
): Promise<ReadonlyMap<string, string>> {
  const taken = await tx.query<{ target: string; key_digest: string; question_id: string }>(
    `insert into slot (tenant_id, target, key_digest, state, record_id, question_id, generation, taken_at)
     select $1, c.target, c.key_digest, case when c.outside then 'in-flight' else 'settled' end,
            case when c.outside then null else c.record_id end, c.question_id, c.generation, $8
       from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::int[], $7::boolean[])
         with ordinality as c (target, key_digest, record_id, question_id, generation, outside, position)
      order by c.position
     on conflict (tenant_id, target, key_digest) do nothing returning target, key_digest, question_id`,
    [tenantId, ...claimColumns(claims), now],
  );
  return holders(taken);
}

/**
 * Uses slots again that nothing came of, or whose record or unknown write the claim's receipt shows to leave the key free, by
 * compare-and-swap: of two claims that saw the same, the second finds something else in the slot and changes nothing. An unknown write that is
 * freed keeps its use, and so its outside idempotency key. Answers the question of each slot that was taken, by `slotKey`. Locks in the order
 * given; of equal keys the first counts.
 */
export async function reuseSlots(
  tx: Transaction,
  tenantId: string,
  claims: readonly SlotClaim[],
  now: Date,
): Promise<ReadonlyMap<string, string>> {
  const reusing = claims.filter(({ reusable, isOutside }) => reusable.length > 0 || isOutside);
  if (reusing.length === 0) return new Map();
  await tx.query(
    `select from slot s join unnest($2::text[], $3::text[]) with ordinality as c (target, key_digest, position) using (target, key_digest)
      where s.tenant_id = $1 order by c.position for update of s`,
    [tenantId, reusing.map((claim) => claim.target), reusing.map((claim) => claim.keyDigest)],
  );
  const taken = await tx.query<{ target: string; key_digest: string; question_id: string }>(
    `with claim as (
       select distinct on (target, key_digest) * from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::int[], $7::boolean[],
           $9::text[], $10::text[])
         with ordinality as c (target, key_digest, record_id, question_id, generation, outside, reusable, statuses, position)
        order by target, key_digest, position)
     update slot s set record_id = case when c.outside then s.record_id else c.record_id end, question_id = c.question_id,
            generation = c.generation, uses = s.uses + case when s.state = 'unknown' then 0 else 1 end, taken_at = $8,
            state = case when c.outside then 'in-flight' else 'settled' end, sent_at = null, clear_at = null
       from claim c
      where s.tenant_id = $1 and s.target = c.target and s.key_digest = c.key_digest and case s.state
        when 'free' then c.outside
        when 'unknown' then c.outside and not s.arrived and c.reusable::jsonb ? (${UNKNOWN_WRITE})
        when 'settled' then c.reusable::jsonb ? s.record_id and (c.outside or exists (select from record r
          where r.tenant_id = s.tenant_id and r.target = s.target and r.record_id = s.record_id and c.statuses::jsonb ? r.status))
        else false end
     returning s.target, s.key_digest, s.question_id`,
    [
      tenantId,
      ...claimColumns(reusing),
      now,
      reusing.map((claim) => JSON.stringify(claim.reusable)),
      reusing.map((claim) => JSON.stringify(claim.reusableStatuses)),
    ],
  );
  return holders(taken);
}

const claimColumns = (claims: readonly SlotClaim[]): readonly unknown[] => [
  claims.map((claim) => claim.target),
  claims.map((claim) => claim.keyDigest),
  claims.map((claim) => claim.recordId),
  claims.map((claim) => claim.questionId),
  claims.map((claim) => claim.generation),
  claims.map((claim) => claim.isOutside),
];

const holders = (
  rows: readonly { readonly target: string; readonly key_digest: string; readonly question_id: string }[],
): ReadonlyMap<string, string> => new Map(rows.map((row) => [slotKey({ target: row.target, keyDigest: row.key_digest }), row.question_id]));

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

/** Slots as they stand, by `slotKey`; one that was never taken is not in the map. */
export async function slotsByKey(tx: Transaction, tenantId: string, keys: readonly SlotName[]): Promise<ReadonlyMap<string, SlotState>> {
  if (keys.length === 0) return new Map();
  const rows = await tx.query<{
    target: string;
    key_digest: string;
    state: SlotState['state'];
    record_id: string | null;
    status: string | null;
    clear_at: Date | null;
  }>(
    `select s.target, s.key_digest, case when s.arrived then 'arrived' else s.state end as state, r.status, s.clear_at,
            case when s.arrived then null when s.state = 'settled' then s.record_id when s.state = 'unknown' then ${UNKNOWN_WRITE} end as record_id
       from slot s
       join unnest($2::text[], $3::text[]) as k (target, key_digest) on s.target = k.target and s.key_digest = k.key_digest
       left join record r on r.tenant_id = s.tenant_id and r.target = s.target and r.record_id = s.record_id
      where s.tenant_id = $1`,
    [tenantId, keys.map((key) => key.target), keys.map((key) => key.keyDigest)],
  );
  return new Map(
    rows.map((row) => [
      slotKey({ target: row.target, keyDigest: row.key_digest }),
      {
        target: row.target,
        keyDigest: row.key_digest,
        state: row.state,
        recordId: row.record_id,
        status: row.state === 'settled' ? row.status : null,
        clearAt: row.clear_at,
      },
    ]),
  );
}
