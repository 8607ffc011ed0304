/** An error that the caller can correct. The message is a sentence for the terminal; the exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
