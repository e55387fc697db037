import { topics } from '@lacuna/events';
import type { Database } from '@lacuna/messaging';
import { DATABASE } from '@lacuna/runtime';
import { Inject, Injectable } from '@nestjs/common';
import { notYetRead, unknownReceipt } from '../http/problems.js';
import { CATCH_UP_MS_MAX, ReadModelPosition } from '../projections/read-model-position.js';
import type { ReceiptView } from './receipt.dto.js';

export interface ReceiptRow {
  readonly receipt_id: string;
  readonly question_id: string;
  readonly generation: number;
  readonly receipt_hash: string;
  /** int8 as text. */
  readonly leaf_index: string;
  readonly envelope: Buffer;
}

@Injectable()
export class ReadReceipt {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly position: ReadModelPosition,
  ) {}

  /** @throws the 404 problem once the read model has seen all that the log had, else the 503 problem. */
  async one(tenantId: string, receiptId: string): Promise<ReceiptRow> {
    const found = await this.find(tenantId, receiptId);
    if (found) return found;
    if (!(await this.position.reaches(topics.receipts, CATCH_UP_MS_MAX))) throw notYetRead(`receipt ${receiptId}`);
    const late = await this.find(tenantId, receiptId);
    if (!late) throw unknownReceipt(receiptId);
    return late;
  }

  private find(tenantId: string, receiptId: string): Promise<ReceiptRow | null> {
    return this.database.transaction(async (tx) => {
      await tx.actFor(tenantId);
      const [row] = await tx.query<ReceiptRow>(
        `select receipt_id, question_id, generation, receipt_hash, leaf_index, envelope from receipt where tenant_id = $1 and receipt_id = $2`,
        [tenantId, receiptId],
      );
      return row ?? null;
    });
  }
}

export function receiptView(row: ReceiptRow): ReceiptView {
  return {
    receiptId: row.receipt_id,
    leafIndex: Number(row.leaf_index),
    receiptHash: row.receipt_hash,
    questionId: row.question_id,
    generation: row.generation,
    envelope: row.envelope.toString('base64'),
    payload: payloadIn(row.envelope),
  };
}

/** For reading only: whoever relies on it verifies the envelope. */
function payloadIn(envelope: Buffer): Record<string, unknown> {
  const { payload } = JSON.parse(envelope.toString('utf8')) as { payload: string };
  return JSON.parse(Buffer.from(payload, 'base64').toString('utf8')) as Record<string, unknown>;
}
