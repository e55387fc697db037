import type { AttemptInput, AttemptOutcome } from './attempt.js';

/** One walk over one source, from its first request to the reason why it ended. */
export const runAttempt = async (input: AttemptInput): Promise<AttemptOutcome> => {
  throw new Error(`${input.source.name} cannot be read`);
};
