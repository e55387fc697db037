/**
 * The write boundary. W1: at most one record per (tenant, target, key), by the primary key of `slot`.
 * 1. `insert ... on conflict do nothing returning` decides; what holds the other slots is read by a statement of its own, whose snapshot
 *    is later than the commit that the insert waited for. In one statement, racers would find neither.
 * 2. Keys are taken in one order, so that two batches cannot wait for one another; equal keys in log order.
 * 3. A slot is used again only in place of the record that the claim's receipt saw, by compare-and-swap.
 * 4. Neither taken nor visible is never `created` and never a guessed `exists`: somebody holds it where we cannot see.
 */
import { Injectable } from '@nestjs/common';
import type { Transaction } from '@lacuna/messaging';
import { insertRecords, insertSlots, reuseSlots, type SlotClaim, slotKey, slotsByKey, type SlotState } from './slot-store.js';

export type ClaimOutcome =
  | { readonly type: 'created' }
  /** The slot is ours; the record is to be made outside. */
  | { readonly type: 'claimed' }
  | { readonly type: 'exists'; readonly recordId: string }
  /** Taken, and its write is not settled. */
  | { readonly type: 'unsettled' }
  /** Neither taken nor visible. */
  | { readonly type: 'unseen' };

@Injectable()
export class Slots {
  /** Takes the slots among these claims that are free or may be used again, each with its record; answers an outcome for each claim. `tx` acts for the tenant. */
  async claim(tx: Transaction, tenantId: string, claims: readonly SlotClaim[], now: Date): Promise<ClaimOutcome[]> {
    const ordered = [...claims].sort(byKey);
    const holders = new Map(await insertSlots(tx, tenantId, ordered, now));
    const others = ordered.filter((claim) => !holders.has(slotKey(claim)));
    for (const [key, questionId] of await reuseSlots(tx, tenantId, others, now)) holders.set(key, questionId);
    const isTaken = (claim: SlotClaim) => holders.get(slotKey(claim)) === claim.questionId;
    await insertRecords(
      tx,
      tenantId,
      ordered.filter((claim) => isTaken(claim) && !claim.isOutside),
      now,
    );
    const standing = await slotsByKey(
      tx,
      tenantId,
      claims.filter((claim) => !isTaken(claim)),
    );
    return claims.map((claim) =>
      isTaken(claim) ? { type: claim.isOutside ? 'claimed' : 'created' } : outcomeOf(standing.get(slotKey(claim))),
    );
  }
}

function outcomeOf(slot: SlotState | undefined): ClaimOutcome {
  if (!slot) return { type: 'unseen' };
  return slot.state === 'settled' && slot.recordId !== null ? { type: 'exists', recordId: slot.recordId } : { type: 'unsettled' };
}

function byKey(left: SlotClaim, right: SlotClaim): number {
  const [one, other] = [slotKey(left), slotKey(right)];
  return one < other ? -1 : one > other ? 1 : 0;
}
