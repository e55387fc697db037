/** Ways to take a slot that are known to fail under a race: the negative controls of its test. */
import type { Transaction } from '@lacuna/messaging';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { insertRecords, type SlotClaim, slotKey, slotsByKey } from '../src/write/slot-store.js';
import { type ClaimOutcome, Slots } from '../src/write/slots.js';

/** The guard of somebody who trusts a look before the insert, and so has no constraint. */
export class CheckThenInsert extends Slots {
  override async claim(tx: Transaction, tenantId: string, claims: readonly SlotClaim[]): Promise<ClaimOutcome[]> {
    const keys = claims.map((claim) => claim.keyDigest);
    const rows = await tx.query<{ key_digest: string; record_id: string }>(
      'select key_digest, record_id from naive_slot where tenant_id = $1 and key_digest = any ($2::text[])',
      [tenantId, keys],
    );
    const seen = new Map(rows.map((row) => [row.key_digest, row.record_id]));
    const free = claims.filter(({ keyDigest }, index) => !seen.has(keyDigest) && keys.indexOf(keyDigest) === index);
    await tx.query('insert into naive_slot select $1, k, r from unnest($2::text[], $3::text[]) as c (k, r)', [
      tenantId,
      free.map((claim) => claim.keyDigest),
      free.map((claim) => claim.recordId),
    ]);
    return claims.map((claim) => (free.includes(claim) ? { type: 'created' } : { type: 'exists', recordId: claim.recordId }));
  }
}

export class NaiveSlot1900000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create table naive_slot (tenant_id text not null, key_digest text not null, record_id text not null)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table naive_slot');
  }
}

/** One statement whose snapshot is older than the commit that its insert waits for. */
export class InsertUnionSelect extends Slots {
  override async claim(tx: Transaction, tenantId: string, claims: readonly SlotClaim[], now: Date): Promise<ClaimOutcome[]> {
    const ordered = [...claims].sort((left, right) => (slotKey(left) < slotKey(right) ? -1 : 1));
    const rows = await tx.query<{ target: string; key_digest: string; record_id: string; taken_by: string | null }>(
      `with claim as (
         select * from unnest($2::text[], $3::text[], $4::text[], $5::text[]) with ordinality as c (target, key_digest, record_id, question_id, position)),
       taken as (
         insert into slot (tenant_id, target, key_digest, state, record_id, question_id, taken_at)
         select $1, target, key_digest, 'settled', record_id, question_id, $6::timestamptz from claim order by position
         on conflict do nothing returning target, key_digest, record_id, question_id)
       select target, key_digest, record_id, question_id as taken_by from taken
       union select s.target, s.key_digest, s.record_id, null from slot s join claim c using (target, key_digest) where s.tenant_id = $1`,
      [
        tenantId,
        ordered.map((claim) => claim.target),
        ordered.map((claim) => claim.keyDigest),
        ordered.map((claim) => claim.recordId),
        ordered.map((claim) => claim.questionId),
        now,
      ],
    );
    const found = new Map(rows.map((row) => [slotKey({ target: row.target, keyDigest: row.key_digest }), row]));
    const isTaken = (claim: SlotClaim) => found.get(slotKey(claim))?.taken_by === claim.questionId;
    await insertRecords(tx, tenantId, claims.filter(isTaken), now);
    return claims.map((claim): ClaimOutcome => {
      const row = found.get(slotKey(claim));
      if (!row) return { type: 'unseen' };
      return isTaken(claim) ? { type: 'created' } : { type: 'exists', recordId: row.record_id };
    });
  }
}

/** Looks whether a reusable record stands in the slot, and then puts its own there whatever stands there by then. */
export class CheckThenReuse extends Slots {
  override async claim(tx: Transaction, tenantId: string, claims: readonly SlotClaim[], now: Date): Promise<ClaimOutcome[]> {
    const standing = await slotsByKey(tx, tenantId, claims);
    const mayReuse = (claim: SlotClaim) => claim.reusable.includes(standing.get(slotKey(claim))?.recordId ?? '');
    const reusing = claims.filter(mayReuse);
    const others = await super.claim(
      tx,
      tenantId,
      claims.filter((claim) => !mayReuse(claim)),
      now,
    );
    await insertRecords(tx, tenantId, reusing, now);
    for (const claim of [...reusing].sort((left, right) => (slotKey(left) < slotKey(right) ? -1 : 1)))
      await tx.query('update slot set record_id = $4 where tenant_id = $1 and target = $2 and key_digest = $3', [
        tenantId,
        claim.target,
        claim.keyDigest,
        claim.recordId,
      ]);
    return claims.map((claim) => (mayReuse(claim) ? { type: 'created' } : (others.shift() ?? { type: 'unseen' })));
  }
}
