// A thread of a parse process. It ends the process once the parent process has ended: the main thread cannot notice
// that while it parses.
import { workerData } from 'node:worker_threads';
import { isRunning } from '../../domain/forked-program.js';

/** Milliseconds between two checks. */
const INTERVAL = 1000;

const parent = workerData as number;

setInterval(() => {
  // Windows goes on naming a parent that has ended.
  if (process.ppid !== parent || !isRunning(parent)) process.kill(process.pid, 'SIGKILL');
}, INTERVAL);
