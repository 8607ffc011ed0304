// A thread of a parse process. It ends the process once its parent has ended: the main thread, which may parse for
// long, would not notice.
import { workerData } from 'node:worker_threads';

/** Milliseconds between two looks. */
const EVERY = 1000;

const parent = workerData as number;

setInterval(() => {
  if (process.ppid !== parent || !isRunning(parent)) process.kill(process.pid, 'SIGKILL');
}, EVERY);

/** Windows goes on naming a parent that has ended. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It belongs to somebody else now, who may not be signalled.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
