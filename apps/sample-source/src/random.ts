/** Numbers that look random and are a function of the seed alone. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** A whole number in [0, limit). */
  below(limit: number): number;
  pick<T>(list: readonly T[]): T;
  /** The value of one pair, chosen in proportion to the weights. */
  weighted<T>(pairs: readonly (readonly [T, number])[]): T;
  shuffle(list: unknown[]): void;
}

/** The generator mulberry32: 32 bits of state, the same numbers on every machine. */
export function seededRandom(seed: number): Random {
  let state = seed | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    next,
    below,
    pick: <T>(list: readonly T[]) => list[below(list.length)] as T,
    weighted: <T>(pairs: readonly (readonly [T, number])[]) => {
      let left = next() * pairs.reduce((sum, [, weight]) => sum + weight, 0);
      const chosen = pairs.find(([, weight]) => (left -= weight) < 0) ?? pairs[pairs.length - 1];
      return (chosen as readonly [T, number])[0];
    },
    shuffle: (list) => {
      for (let last = list.length - 1; last > 0; last--) {
        const other = below(last + 1);
        [list[last], list[other]] = [list[other], list[last]];
      }
    },
  };
}
