/** What write-guard answers of one slot, and its reading from a body that may say anything. */
export interface SlotAnswer {
  readonly keyDigest: string;
  /** `free`: no slot. */
  readonly state: 'free' | 'settled' | 'in-flight' | 'unknown';
  readonly recordId: string | null;
  readonly status: string | null;
}

const STATES: readonly unknown[] = ['free', 'settled', 'in-flight', 'unknown'] satisfies SlotAnswer['state'][];

const isTextOrNull = (value: unknown): boolean => value === null || typeof value === 'string';

function isSlot(value: unknown): value is SlotAnswer {
  if (typeof value !== 'object' || value === null) return false;
  const { keyDigest, state, recordId, status } = value as Record<string, unknown>;
  if (typeof keyDigest !== 'string' || !STATES.includes(state) || !isTextOrNull(recordId) || !isTextOrNull(status)) return false;
  return (state === 'settled') === (typeof recordId === 'string' && recordId !== '');
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
