/** What ends a command: one line that says what to do, and the exit code. */
export class CliError extends Error {
  override readonly name = 'CliError';
  constructor(
    message: string,
    readonly exitCode: number = exitCodes.failure,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export const exitCodes = { done: 0, failure: 1, usage: 2, matchReview: 10, evidenceHold: 11, stillReading: 12 } as const;

/** `--help` of the program ends with this. */
export const exitCodesHelp = `
Exit codes:
  0   done; for ask: scoped-no-match, complete
  1   failure: the message says what to do
  2   wrong usage
  10  ask: match-review
  11  ask: evidence-hold
  12  ask: still reading, nothing is known yet (or the record is still being created)
`;
