/** What the caller can put right: its message is one sentence, and the exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
