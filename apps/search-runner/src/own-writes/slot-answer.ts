/** What write-guard answers of one slot, and its reading from a body that may say anything. */
export interface SlotAnswer {
  readonly keyDigest: string;
  /** `free`: nobody holds it. `unknown`: a send may have arrived. `arrived`: one has, and nobody knows as which record. */
  readonly state: 'free' | 'settled' | 'in-flight' | 'unknown' | 'arrived';
  /** Of an unknown write at an outside target: its name, by which write-guard frees the slot. */
  readonly recordId: string | null;
  readonly status: string | null;
  /** At an outside target: evidence must be later than this moment to speak of the write. Null: an own table, or nothing was sent yet. */
  readonly clearAt: string | null;
}

const STATES: readonly unknown[] = ['free', 'settled', 'in-flight', 'unknown', 'arrived'] satisfies SlotAnswer['state'][];

const isTextOrNull = (value: unknown): boolean => value === null || typeof value === 'string';

function isSlot(value: unknown): value is SlotAnswer {
  if (typeof value !== 'object' || value === null) return false;
  const { keyDigest, state, recordId, status, clearAt } = value as Record<string, unknown>;
  if (typeof keyDigest !== 'string' || !STATES.includes(state)) return false;
  if (![recordId, status, clearAt].every(isTextOrNull)) return false;
  const isNamed = typeof recordId === 'string' && recordId !== '';
  return state === 'unknown' ? isNamed && clearAt !== null : (state === 'settled') === isNamed;
}

/** By key digest; null when any part of the body is not as agreed. A slot said twice is not as agreed either. */
export function slotsIn(body: string): ReadonlyMap<string, SlotAnswer> | null {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    return null;
  }
  const { slots } = (json ?? {}) as { slots?: unknown };
  if (!Array.isArray(slots) || !slots.every(isSlot)) return null;
  const byDigest = new Map(slots.map((slot) => [slot.keyDigest, slot]));
  return byDigest.size === slots.length ? byDigest : null;
}
