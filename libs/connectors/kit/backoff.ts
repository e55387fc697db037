/** Doubles per try from the first delay up to the bound; between half and all of it, so that competitors do not meet again. `tries` from 0. */
export const backoffMs = (
  tries: number,
  { delayMs, delayMsMax }: { readonly delayMs: number; readonly delayMsMax: number },
  random: () => number = Math.random,
): number => Math.min(delayMs * 2 ** tries, delayMsMax) * (0.5 + random() / 2);
