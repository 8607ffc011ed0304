import { setImmediate } from 'node:timers';

/** The writes that wait for the one in progress, by file. A file without a write in progress has no queue. */
const queues = new Map<string, (() => void)[]>();

/**
 * Runs a write to a file once the writes that this process began before have ended. SQLite would also make it wait, but
 * by blocking the thread that the other write needs. `file` identifies the file, whatever its path.
 */
export async function inTurn<T>(file: string, write: () => T): Promise<Awaited<T>> {
  // Without `await` if no write is in progress: a short write is then done when this returns its promise.
  const queue = queues.get(file);
  if (queue) await new Promise<void>((resolve) => queue.push(resolve));
  else queues.set(file, []);
  try {
    const written = write();
    return written instanceof Promise ? await written : (written as Awaited<T>);
  } finally {
    const next = queues.get(file)?.shift();
    // Each in its own turn of the event loop, since many writes may wait.
    if (next) setImmediate(next);
    else queues.delete(file);
  }
}
