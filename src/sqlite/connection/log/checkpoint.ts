import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

/**
 * Maximum bytes of a log that is moved without a thread: starting one would take longer. SQLite truncates a longer log
 * to this size.
 */
export const SHORT_LOG = 16_000_000;

const PROGRAM = new URL('./checkpoint-thread.js', import.meta.url);

/** Whether the log of a database is so long that moving it into the database would hold up the event loop. */
export function hasLongLog(database: string): boolean {
  const log = statSync(`${database}-wal`, { throwIfNoEntry: false });
  return log !== undefined && log.size > SHORT_LOG;
}

/** Moves the log of a database into it, on a thread. Rejects if the system starts no thread. */
export function checkpointOnThread(database: string): Promise<void> {
  return new Promise((resolve) => {
    const thread = new Worker(PROGRAM, { workerData: database, execArgv: [] });
    thread.on('error', () => {});
    thread.on('exit', () => resolve());
  });
}
