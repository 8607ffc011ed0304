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

/**
 * Runs work that adds what closes its resources to `closers`, and calls these whether it succeeds or not. Throws the
 * error of the work, or else the first one of closing.
 */
export async function closingAll<T>(work: (closers: (() => unknown)[]) => Promise<T>): Promise<T> {
  const closers: (() => unknown)[] = [];
  let done: T;
  try {
    done = await work(closers);
  } catch (error) {
    // The caller needs the first error, not one of closing.
    await closeAll(closers).catch(() => {});
    throw error;
  }
  await closeAll(closers);
  return done;
}
