import { setTimeout } from 'node:timers';
import { SUCCESS } from '../../exit-codes.js';
import { printMessage } from '../../output/print.js';

/** Resolves on the first SIGINT or SIGTERM; a second one ends the process at once, as the system does. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      process.off('SIGINT', stop).off('SIGTERM', stop);
      resolve();
    };
    process.on('SIGINT', stop).on('SIGTERM', stop);
  });
}

/** Ends the process in `milliseconds`, whatever it is waiting for. What was acknowledged is already on disk. */
export function exitWithin(milliseconds: number): void {
  setTimeout(() => {
    printMessage('Stopped with work under way: files that were not indexed are indexed after the next start.');
    process.exit(SUCCESS);
  }, milliseconds).unref();
}
