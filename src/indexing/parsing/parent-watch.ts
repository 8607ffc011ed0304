// A thread of a parse process. It ends the process once the parent process has ended: the main thread cannot notice
// that while it parses.
import { workerData } from 'node:worker_threads';

/** Milliseconds between two checks. */
const INTERVAL = 1000;

const parent = workerData as number;

setInterval(() => {
  if (process.ppid !== parent || !isRunning(parent)) process.kill(process.pid, 'SIGKILL');
}, INTERVAL);

/** On Windows, `process.ppid` stays the same after the parent has ended. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process with this id exists, but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
