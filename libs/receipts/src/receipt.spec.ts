import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { aHold, aReceiptInput, aWalk } from '../test/a-receipt.js';
import { refusalOf } from '../test/refusal.js';
import { buildReceipt, sealReceipt } from './receipt.js';
import { ReceiptIdentifier, ReceiptInput } from './receipt-payload.js';
import { saltedHash } from './salted-hash.js';
import { generateSigningKey } from './signing-key.js';
import { verifyEnvelope } from './verify.js';

const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');

describe('a receipt', () => {
  // Fails if a shape change goes unnoticed: receipts that are in logs for good would no longer be rebuilt to their bytes.
  it('has the groups, id and hash of its schema version', () => {
    const { payload, payloadBytes, receiptHash } = buildReceipt(aReceiptInput());
    expect(Object.keys(payload).sort()).toEqual(['boundary', 'method', 'question', 'receiptId', 'schemaVersion', 'traversal', 'verdict']);
    expect(payload.schemaVersion).toBe('lacuna.receipt/v1');
    expect(payload.receiptId).toBe(`rcp_${sha256('["acme","q_1",1]').slice(0, 32)}`);
    expect(receiptHash).toBe(sha256(payloadBytes));
    expect(receiptHash).toMatchInlineSnapshot(`"4ebbf3dc08fda3c6a701a6ed130f7472ae9ee14e554fc601539f83ce09ced1e3"`);
  });

  // Fails if clock, randomness or order of members reach the bytes (V4).
  it('has the same bytes at every replay', () => {
    const reversed = Object.fromEntries(Object.entries(aReceiptInput()).reverse()) as unknown as ReceiptInput;
    expect(buildReceipt(reversed)).toEqual(buildReceipt(aReceiptInput()));
  });

  // Fails if a generation's receipt can be taken for another's.
  it('has another id in every tenant, question and generation', () => {
    const changes = [{}, { tenantId: 'other' }, { questionId: 'q_2' }, { generation: 2 }];
    expect(new Set(changes.map((question) => buildReceipt(aReceiptInput({ question })).payload.receiptId)).size).toBe(4);
  });

  // Fails if a total that no source reported gets a value (0, null) on the receipt.
  it('has no total when the source reported none, and the reported one otherwise', () => {
    const total = { count: 250, relation: 'equal' as const };
    const [unknown, known] = [aWalk(), aWalk({ total })].map(
      (walk) => buildReceipt(aReceiptInput({ traversal: { sources: [walk] } })).payload,
    );
    expect(unknown?.traversal.sources[0]).not.toHaveProperty('total');
    expect(known?.traversal.sources[0]?.total).toEqual(total);
  });

  // Fails if the payload shares objects with the input: it could be changed after its hash was taken.
  it('does not follow a later change of its input', () => {
    const input = aReceiptInput();
    const { payload } = buildReceipt(input);
    (input.traversal.sources as unknown[]).push(aWalk());
    expect(payload.traversal.sources).toHaveLength(1);
  });

  // Fails if members beside the five groups slip into signed bytes.
  it('drops what is no field group', () => {
    const input = { ...aReceiptInput(), leafIndex: 4 };
    expect(buildReceipt(input)).toEqual(buildReceipt(aReceiptInput()));
  });
});

describe('personal values on a receipt', () => {
  const withIdentifier = (value: object): ReceiptInput =>
    aReceiptInput({ question: { identifiers: [{ name: 'e-mail', kind: 'key', provenance: 'person', ...value } as ReceiptIdentifier] } });

  it('stand as salted hashes', () => {
    const valueHash = saltedHash(Buffer.alloc(16, 7), 'ada@example.org');
    expect(buildReceipt(withIdentifier({ valueHash })).payloadBytes.toString()).not.toContain('ada@');
  });

  // Fails if a personal value can be signed into an append-only log by a slip: beside its hash, in its place, or as nothing.
  it.each([
    ['both', { value: 'ada@example.org', valueHash: 'd'.repeat(64) }],
    ['neither', {}],
    ['the value where the hash belongs', { valueHash: 'ada@example.org' }],
  ])('are refused with %s', (_name, value) => expect(refusalOf(() => buildReceipt(withIdentifier(value)))).toBe('personal-value-unclear'));
});

describe('refusal of a receipt', () => {
  const unfounded = aReceiptInput({ traversal: { sources: [aWalk({ stopReason: 'timed-out' })] } });

  // Fails if a caller can sign, past the builder, what the builder refuses.
  it('comes from building and from sealing', () => {
    const forged = { ...buildReceipt(aReceiptInput()).payload, traversal: unfounded.traversal };
    expect(refusalOf(() => buildReceipt(unfounded))).toBe('receipt-contradicts-itself');
    expect(refusalOf(() => sealReceipt(forged, generateSigningKey()))).toBe('receipt-contradicts-itself');
  });

  // Fails if an optional member given as undefined is hashed as if it were absent, or as null.
  it('names an undefined member', () => {
    const input = aReceiptInput({ traversal: { sources: [aWalk({ total: undefined })] } });
    expect(() => buildReceipt(input)).toThrow(/\$\.traversal\.sources\[0\]\.total/);
  });

  // Fails if a receipt is built that the broker would refuse for ever.
  it('comes above 700,000 bytes', () => {
    expect(refusalOf(() => buildReceipt(aReceiptInput({ verdict: { statement: 'x'.repeat(700_000) } })))).toBe('receipt-too-large');
  });
});

describe('a sealed receipt', () => {
  // Fails if the receipt's hash depends on the key, or sealing changes the payload.
  it('keeps payload and hash, under any key, and has one envelope per key', () => {
    const key = generateSigningKey();
    const built = buildReceipt(aReceiptInput({ verdict: aHold }));
    const sealed = sealReceipt(built.payload, key);
    expect(verifyEnvelope(sealed.envelopeBytes, key.publicKeyPem)).toEqual({
      ok: true,
      payload: built.payload,
      receiptHash: built.receiptHash,
    });
    expect(sealReceipt(built.payload, key)).toEqual(sealed);
    expect(sealReceipt(built.payload, generateSigningKey()).receiptHash).toBe(sealed.receiptHash);
  });
});
