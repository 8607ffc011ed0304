import { setTimeout } from 'node:timers';
import { SUCCESS } from '../exit-codes.js';
import { printMessage } from '../output/print.js';

/**
 * Calls `stop` on the first SIGINT or SIGTERM; a second one ends the process at once, as the system does. Returns what
 * stops listening. The first process of a container gets no SIGTERM that it does not listen for.
 */
export function onStopSignal(stop: () => void): () => void {
  const forget = () => void process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  const onSignal = () => {
    forget();
    stop();
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  return forget;
}

/** Resolves on the first SIGINT or SIGTERM. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => void onStopSignal(resolve));
}

/** Ends the process in `milliseconds`, whatever it is waiting for. What was acknowledged is already on disk. */
export function exitWithin(milliseconds: number): void {
  setTimeout(() => {
    printMessage('Stopped with work under way: files that were not indexed are indexed after the next start.');
    process.exit(SUCCESS);
  }, milliseconds).unref();
}
