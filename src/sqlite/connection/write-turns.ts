import { setImmediate } from 'node:timers';

/** The writes that wait for the one in progress, by file. A file that is not being written is not in it. */
const lines = new Map<string, (() => void)[]>();

/**
 * Runs a write to a file once the writes that came before it in this process have ended. SQLite would make it wait too,
 * but by blocking the thread on which the other write must go on. `file` identifies the file, whatever its path.
 */
export async function inTurn<T>(file: string, write: () => T): Promise<Awaited<T>> {
  // Without `await` if none came before it: a short write is done when this returns its promise.
  const line = lines.get(file);
  if (line) await new Promise<void>((resolve) => line.push(resolve));
  else lines.set(file, []);
  try {
    const written = write();
    return written instanceof Promise ? await written : (written as Awaited<T>);
  } finally {
    const next = lines.get(file)?.shift();
    // In a turn of the event loop of its own: many may wait.
    if (next) setImmediate(next);
    else lines.delete(file);
  }
}
