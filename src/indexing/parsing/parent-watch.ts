// A thread of a parse process. It ends the process once its parent has ended: the main thread, which may parse for
// long, would not notice.
import { workerData } from 'node:worker_threads';
import { isRunning } from '../../domain/forked-program.js';

/** Milliseconds between two looks. */
const EVERY = 1000;

const parent = workerData as number;

setInterval(() => {
  // Windows goes on naming a parent that has ended.
  if (process.ppid !== parent || !isRunning(parent)) process.kill(process.pid, 'SIGKILL');
}, EVERY);
