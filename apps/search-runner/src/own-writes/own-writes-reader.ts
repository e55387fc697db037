/** The implicit source `own-writes` as any other source: one lookup, one page, rows that the core compares. */
import type { Opened, PageResponse, ReadFailure, ReadOutcome, SourceReader } from '@lacuna/connectors';
import { type AskedIdentifier, keyParts, keyPolicy, type Register } from '@lacuna/evidence';
import { canonicalJson, InputRefusedError, keyDigest, sha256Hex } from '@lacuna/receipts';
import type { OwnWritesClient, SlotLookup, SlotReading } from './own-writes-client.js';

export interface OwnWritesReaderInput {
  readonly client: Pick<OwnWritesClient, 'read'>;
  readonly tenantId: string;
  readonly register: Register;
  readonly identifiers: readonly Pick<AskedIdentifier, 'name' | 'value'>[];
}

export class OwnWritesReader implements SourceReader {
  constructor(private readonly input: OwnWritesReaderInput) {}

  open(): Promise<Opened> {
    return Promise.resolve({ type: 'opened', method: 'exact-lookup' });
  }

  async read(): Promise<ReadOutcome> {
    const lookup = this.#lookup();
    if (lookup === null) return failure('field-unavailable', 'the question has no key that a slot could be looked up by');
    const reading = await this.input.client.read(lookup);
    return reading.ok ? this.#page(reading, lookup) : failure(reading.reason, reading.detail, reading.status);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** Null: the register has no target, or a part of the key is missing or empty. */
  #lookup(): SlotLookup | null {
    const { tenantId, register, identifiers } = this.input;
    const { target } = register;
    if (!target) return null;
    try {
      const digest = keyDigest(target.policyId, [...keyParts(register, identifiers)]);
      return { tenantId, target: target.name, keyPolicy: sha256Hex(canonicalJson(keyPolicy(register))), keyDigest: digest };
    } catch (error) {
      if (error instanceof InputRefusedError) return null;
      throw error;
    }
  }

  /** A slot has the question's key by its digest, so its row has the asked values: the core finds that every key agrees. */
  #page({ slot, body, startedAt, endedAt }: SlotReading & { ok: true }, lookup: SlotLookup): PageResponse {
    const { state, recordId, status, clearAt } = slot;
    const ownWrite =
      clearAt === null ? {} : { ownWrite: { outcome: state === 'settled' ? ('known' as const) : ('unknown' as const), clearAt } };
    const row = { recordId: recordId ?? '', version: null, values: this.#values(), status, followedTo: null, ...ownWrite };
    const rows = state === 'settled' || state === 'unknown' ? [row] : [];
    const reasons = state === 'in-flight' ? (['write-in-flight'] as const) : state === 'arrived' ? (['own-write-missing'] as const) : [];
    return {
      type: 'page',
      rows,
      observed: { bytes: body.byteLength, end: 'signalled', total: null, snapshot: null, reasons },
      next: null,
      requestFingerprint: this.#fingerprint(lookup),
      cursorFingerprint: null,
      bodySha256: sha256Hex(body),
      startedAt,
      endedAt,
      status: 200,
      remarks: { slot: state },
    };
  }

  #values(): Record<string, string | null> {
    const { register, identifiers } = this.input;
    const asked = new Map(identifiers.map(({ name, value }) => [name, value]));
    const rules = Object.entries(register.identifiers);
    return Object.fromEntries(rules.map(([name, rule]) => [name, rule.kind === 'key' ? (asked.get(name) ?? null) : null]));
  }

  /** A personal key stays out of it: anyone could guess it from a list of names. */
  #fingerprint({ tenantId, target, keyDigest: digest }: SlotLookup): string {
    const isPersonal = Object.values(this.input.register.identifiers).some((rule) => rule.kind === 'key' && rule.personal === true);
    return sha256Hex(canonicalJson(isPersonal ? { tenantId, target } : { tenantId, target, keyDigest: digest }));
  }
}

const failure = (reason: ReadFailure['reason'], detail: string, status: number | null = null): ReadFailure => ({
  type: 'failure',
  reason,
  status,
  retryAfterMs: null,
  detail,
});
