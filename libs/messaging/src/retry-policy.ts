export interface RetryPolicy {
  /** Tries of a batch, the first included. */
  readonly attemptsMax: number;
  /** Tries of one message alone whose failure is its own, before it is dead-lettered. */
  readonly aloneAttemptsMax: number;
  readonly delayMs: number;
  readonly delayMsMax: number;
  /** Messages dead-lettered one after the other because their handler failed; then the consumer stops: it is not the messages. */
  readonly deadLettersInRowMax: number;
}

export const retryPolicy: RetryPolicy = {
  attemptsMax: 8,
  aloneAttemptsMax: 3,
  delayMs: 50,
  delayMsMax: 5_000,
  deadLettersInRowMax: 25,
};

/** Doubles per attempt up to the bound; between half and all of it, so that competitors do not meet again. */
export function retryDelayMs(
  attempt: number,
  bounds: Pick<RetryPolicy, 'delayMs' | 'delayMsMax'>,
  random: () => number = Math.random,
): number {
  const whole = Math.min(bounds.delayMs * 2 ** (attempt - 1), bounds.delayMsMax);
  return whole * (0.5 + random() / 2);
}

export function waitMs(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
