/** The question's identifiers as a reader gets them. */
export interface AskedValue {
  readonly value: string;
  /** It stays out of fingerprints, which anyone could guess from a list of names. */
  readonly personal: boolean;
}

export type AskedValues = Readonly<Record<string, AskedValue>>;
