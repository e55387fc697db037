/** A write target in a system that is not ours: what creates a record there, and what its answers mean. Defaults are written out. */
import type { HttpAuth, JsonPointer, SecretReference } from '../register/connect.js';

/** `path` is below the base URL, whose origin no request leaves. */
export interface OutsideCreate {
  readonly url: SecretReference;
  readonly path: string;
  readonly auth: HttpAuth;
  readonly headers: Readonly<Record<string, string>>;
  /** Where the payload stands in the body; '': it is the body. */
  readonly payloadAt: JsonPointer;
  /** Header of the system's own idempotency feature; null: it has none. */
  readonly idempotencyHeader: string | null;
  readonly requestTimeoutMs: number;
  /** Only an answer with one of these, and an id, says that the record was created. */
  readonly created: { readonly statuses: readonly number[]; readonly id: JsonPointer };
  /** What says that a record of this key exists already, and which; null: nothing does. */
  readonly conflict: { readonly statuses: readonly number[]; readonly id: JsonPointer } | null;
  /** What says that this idempotency key came before with another payload: the first send arrived. Null: nothing does. */
  readonly otherPayload: { readonly status: number; readonly path: JsonPointer; readonly equals: string } | null;
}

/** As the core's `OutsideTarget`, with the section that only this library reads. */
export interface OutsideTargetDocument {
  readonly name: string;
  readonly kind: 'outside';
  readonly policyId: string;
  readonly protection: 'own-writes-only';
  readonly sendHorizonMs: number;
  readonly create: OutsideCreate;
}
