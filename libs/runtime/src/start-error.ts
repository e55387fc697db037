/** A service cannot start as things are: one line that says what to do. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
