/** The implicit source `own-writes` as any other source: one lookup, one page, rows that the core compares. */
import type { Opened, PageResponse, ReadFailure, ReadOutcome, ReadRequest, SourceReader } from '@lacuna/connectors';
import { type AskedIdentifier, keyParts, type Register } from '@lacuna/evidence';
import { canonicalJson, keyDigest, sha256Hex } from '@lacuna/receipts';
import type { OwnWritesClient, SlotReading } from './own-writes-client.js';

export interface OwnWritesReaderInput {
  readonly client: OwnWritesClient;
  readonly tenantId: string;
  readonly register: Register;
  readonly identifiers: readonly Pick<AskedIdentifier, 'name' | 'value'>[];
}

export class OwnWritesReader implements SourceReader {
  constructor(private readonly input: OwnWritesReaderInput) {}

  open(): Promise<Opened> {
    return Promise.resolve({ type: 'opened', method: 'exact-lookup' });
  }

  async read(_request: ReadRequest): Promise<ReadOutcome> {
    const { client, tenantId, register, identifiers } = this.input;
    const target = register.target;
    if (!target) return failure('response-invalid', 'the register has no write target');
    const digest = keyDigest(target.policyId, [...keyParts(register, identifiers)]);
    const lookup = { tenantId, target: target.name, keyDigest: digest };
    const reading = await client.read(lookup);
    if (!reading.ok) return failure(reading.reason, reading.detail);
    return this.#page(reading, sha256Hex(canonicalJson(lookup)));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** A slot has the question's key by its digest, so its row has the asked values: the core finds that every key agrees. */
  #page(reading: SlotReading & { ok: true }, requestFingerprint: string): PageResponse {
    const { slot, body } = reading;
    const { register, identifiers } = this.input;
    const asked = new Map(identifiers.map(({ name, value }) => [name, value]));
    const values = Object.fromEntries(
      Object.entries(register.identifiers).map(([name, rule]) => [name, rule.kind === 'key' ? (asked.get(name) ?? null) : null]),
    );
    const settled = slot.state === 'settled' && slot.recordId !== null;
    return {
      type: 'page',
      rows: settled ? [{ recordId: slot.recordId as string, version: null, values, status: slot.status, followedTo: null }] : [],
      observed: {
        bytes: body.byteLength,
        end: 'signalled',
        total: null,
        snapshot: null,
        reasons: slot.state === 'free' || settled ? [] : ['write-in-flight'],
      },
      next: null,
      requestFingerprint,
      cursorFingerprint: null,
      bodySha256: sha256Hex(body),
      startedAt: reading.startedAt,
      endedAt: reading.endedAt,
      status: 200,
      remarks: { slot: slot.state },
    };
  }
}

const failure = (reason: ReadFailure['reason'], detail: string): ReadFailure => ({
  type: 'failure',
  reason,
  status: null,
  retryAfterMs: null,
  detail,
});
