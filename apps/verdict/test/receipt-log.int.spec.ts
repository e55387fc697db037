/** The receipt log under load: leaves without gaps, in the order of their commits. */
import type { EncodedEvent } from '@lacuna/events';
import { sha256Hex } from '@lacuna/receipts';
import { aMatchingRow, freshId } from '@lacuna/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aDecidableRegister, aGeneration, encoded } from './a-generation.js';
import { bench, type Bench, published } from './running-verdict.js';

const register = aDecidableRegister();
const QUESTIONS = 120;

describe('the receipt log', () => {
  let verdict: Bench;
  const tenants = [freshId('tenant'), freshId('tenant'), freshId('tenant')];
  beforeAll(async () => {
    verdict = await bench({ partitions: 6 });
    await verdict.start();
    await verdict.start();
    await verdict.publish(...tenants.map((tenantId) => published(tenantId, register)));
    const searches = tenants.flatMap((tenantId) =>
      Array.from({ length: QUESTIONS }, (_, index) => {
        const pages = [{}, { rows: index % 3 === 0 ? [aMatchingRow()] : [] }];
        return encoded(aGeneration(register, { tenantId }, pages));
      }),
    );
    await Promise.all(cut(searches, 45).map((part) => verdict.publish(...part.flat())));
    await verdict.reached(tenants.length * QUESTIONS);
  });
  afterAll(() => verdict.close());

  it('has leaf indexes 0 to n-1 per tenant, each once, over six partitions that are handled side by side by two processes', async () => {
    for (const tenantId of tenants) {
      const leaves = (await verdict.receiptsOf(tenantId)).map(({ leafIndex }) => leafIndex).sort((one, other) => one - other);
      expect(leaves).toEqual(Array.from({ length: QUESTIONS }, (_, index) => index));
    }
  });

  it('holds the bytes that were published, and its head is their count', async () => {
    const kept = await verdict.admin.query<{ tenant_id: string; leaf_index: string; envelope: Buffer }>('select * from receipt');
    const key = (tenant: string, leaf: string | number, bytes: Buffer) => `${tenant} ${leaf} ${sha256Hex(bytes)}`;
    const sent = (await verdict.receiptsOf()).map((receipt) =>
      key(receipt.tenantId, receipt.leafIndex, Buffer.from(receipt.envelope, 'base64')),
    );
    expect(kept.map((row) => key(row.tenant_id, row.leaf_index, row.envelope)).sort()).toEqual(sent.sort());
    const heads = await verdict.admin.query<{ next_leaf_index: string }>('select next_leaf_index from receipt_head');
    expect(heads.map((head) => Number(head.next_leaf_index))).toEqual(tenants.map(() => QUESTIONS));
  });

  it('has one receipt per generation, for the verdict that was published', async () => {
    const verdicts = (await verdict.verdictsOf()).map(({ receiptId, receiptHash }) => `${receiptId} ${receiptHash}`);
    expect((await verdict.receiptsOf()).map(({ receiptId, receiptHash }) => `${receiptId} ${receiptHash}`).sort()).toEqual(verdicts.sort());
    expect(new Set(verdicts).size).toBe(tenants.length * QUESTIONS);
  });
});

const cut = (searches: readonly EncodedEvent[][], size: number) =>
  Array.from({ length: Math.ceil(searches.length / size) }, (_, at) => searches.slice(at * size, (at + 1) * size));
