/** The receipt log of a tenant: envelopes by leaf index, without gaps, append-only. SQL only. */
import { randomBytes } from 'node:crypto';
import type { Transaction } from '@lacuna/messaging';

const SALT_BYTES = 32;

/** A question's salt. */
export const newSalt = (): Buffer => randomBytes(SALT_BYTES);

export interface NewReceipt {
  readonly questionId: string;
  readonly generation: number;
  readonly receiptId: string;
  readonly receiptHash: string;
  readonly envelope: Buffer;
}

/**
 * Appends in order and answers the first one's leaf index. The head row stays locked until the commit, so that the order of
 * commits is the order of leaves; it is locked last (lock order of DESIGN section 5).
 */
export async function appendReceipts(tx: Transaction, tenantId: string, receipts: readonly NewReceipt[]): Promise<bigint> {
  const [head] = await tx.query<{ first: string }>(
    `insert into receipt_head as head (tenant_id, next_leaf_index) values ($1, $2::bigint)
     on conflict (tenant_id) do update set next_leaf_index = head.next_leaf_index + $2::bigint
     returning (head.next_leaf_index - $2::bigint)::text as first`,
    [tenantId, receipts.length],
  );
  if (!head) throw new Error('the receipt head gave no leaf index');
  const first = BigInt(head.first);
  await tx.query(
    `insert into receipt (tenant_id, leaf_index, question_id, generation, receipt_id, receipt_hash, envelope)
     select $1, $2::bigint + r.position - 1, r.question_id, r.generation, r.receipt_id, r.receipt_hash, r.envelope
       from unnest($3::text[], $4::int[], $5::text[], $6::text[], $7::bytea[])
         with ordinality as r (question_id, generation, receipt_id, receipt_hash, envelope, position)`,
    [
      tenantId,
      head.first,
      receipts.map((receipt) => receipt.questionId),
      receipts.map((receipt) => receipt.generation),
      receipts.map((receipt) => receipt.receiptId),
      receipts.map((receipt) => receipt.receiptHash),
      receipts.map((receipt) => receipt.envelope),
    ],
  );
  return first;
}

/** Salts of these questions, made where missing. They are kept apart from the receipts, so that personal values can be forgotten. */
export async function saltsOf(
  tx: Transaction,
  tenantId: string,
  questionIds: readonly string[],
  salt: () => Buffer,
): Promise<ReadonlyMap<string, Buffer>> {
  const ids = [...new Set(questionIds)].sort();
  await tx.query(
    `insert into question_salt (tenant_id, question_id, salt)
     select $1, s.question_id, s.salt from unnest($2::text[], $3::bytea[]) as s (question_id, salt)
     on conflict (tenant_id, question_id) do nothing`,
    [tenantId, ids, ids.map(() => salt())],
  );
  const rows = await tx.query<{ question_id: string; salt: Buffer }>(
    'select question_id, salt from question_salt where tenant_id = $1 and question_id = any ($2::text[])',
    [tenantId, ids],
  );
  return new Map(rows.map((row) => [row.question_id, row.salt]));
}
