/**
 * Closes several things at once, so that none waits for another, and waits for all. Throws the first error, in the
 * order given. An embedder may be a caller's own: that it fails to close, or never does, must keep nothing else open.
 */
export async function closeAll(closers: readonly (() => unknown)[]): Promise<void> {
  const outcomes = await Promise.allSettled(closers.map(async (close) => close()));
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') throw outcome.reason;
  }
}
