/** Every reason for which this library refuses an input. A refusal is a bug of the caller or unusable key material, never an outcome. */
export type RefusalCode =
  | 'value-undefined'
  | 'value-not-json'
  | 'value-too-deep'
  | 'number-not-finite'
  | 'integer-not-safe'
  | 'text-not-unicode'
  | 'policy-id-missing'
  | 'key-part-missing'
  | 'signing-key-unreadable'
  | 'signing-key-not-ed25519'
  | 'salt-too-short'
  | 'hash-malformed'
  | 'index-out-of-range'
  | 'personal-value-unclear'
  | 'receipt-contradicts-itself'
  | 'receipt-too-large';

/** Thrown instead of hashing or signing something else than the caller meant. The message names the place, never the value. */
export class InputRefusedError extends Error {
  override readonly name = 'InputRefusedError';

  constructor(
    readonly code: RefusalCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(`${code}: ${message}`, options);
  }
}
