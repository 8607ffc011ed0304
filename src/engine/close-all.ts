/**
 * Closes several resources concurrently and waits for all. Throws the first error, in the order given. An embedder may
 * be a caller's own: one that fails to close, or never does, must not keep the others open.
 */
export async function closeAll(closers: readonly (() => unknown)[]): Promise<void> {
  const outcomes = await Promise.allSettled(closers.map(async (close) => close()));
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') throw outcome.reason;
  }
}
