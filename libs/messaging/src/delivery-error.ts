/** Failures of delivery, named by their consequence. */

/** The consumer cannot go on: the process should end and say why. Adapters call `onFatal` with it and do not retry. */
export class ConsumerStoppedError extends Error {
  override readonly name: string = 'ConsumerStoppedError';
}

/** The stored position is not within the log: somebody removed messages, restored a backup, or points at another log. */
export class PositionOutsideLogError extends ConsumerStoppedError {
  override readonly name = 'PositionOutsideLogError';
}

/** Thrown by a crash hook in tests: the loop is abandoned as a killed process would leave it. */
export class SimulatedCrash extends ConsumerStoppedError {
  override readonly name = 'SimulatedCrash';
}

/** Somebody else has moved this partition's position: nothing was changed. Adapters take over anew, and end the consumer at the second in a row. */
export class FencedError extends Error {
  override readonly name = 'FencedError';
}

/** The events are committed and not yet acknowledged by the log: they are published again, never dropped, never dead-lettered. */
export class PublishError extends Error {
  override readonly name = 'PublishError';
  constructor(cause: unknown) {
    super(`the log did not acknowledge: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
