/**
 * Closes several resources concurrently and waits for all. Throws the first error, in the order given. An embedder may
 * be a caller's own: if it fails to close, or never does, the other resources are closed nevertheless.
 */
export async function closeAll(closers: readonly (() => unknown)[]): Promise<void> {
  const outcomes = await Promise.allSettled(closers.map(async (close) => close()));
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') throw outcome.reason;
  }
}
