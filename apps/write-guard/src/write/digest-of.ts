import { canonicalJson, sha256Hex } from '@lacuna/receipts';

/** Ids come from what they name, so that a repetition says the same. */
export const digestOf = (...parts: readonly (string | number)[]): string => sha256Hex(canonicalJson([...parts])).slice(0, 32);
