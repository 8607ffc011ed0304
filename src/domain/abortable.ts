import { setMaxListeners } from 'node:events';
import { errorOf, WaymarkError } from './errors.js';

/** Options of a call that can be stopped. */
export interface Abortable {
  /** Stops the call: it throws `ABORTED`, with the signal's reason as the cause. */
  readonly signal?: AbortSignal | undefined;
}

/** The message of a call that was stopped before it changed anything. */
export const UNCHANGED = 'Nothing was changed.';

/** The error of a call whose signal has fired. */
export function abortedBy(signal: AbortSignal, message = 'The call was stopped.'): WaymarkError {
  return new WaymarkError('ABORTED', message, { cause: signal.reason });
}

/** Throws `ABORTED` if the signal has fired. */
export function assertNotAborted(signal: AbortSignal | undefined, message?: string): void {
  if (signal?.aborted) throw abortedBy(signal, message);
}

/**
 * The outcome of work that may ignore the signal. Rejects with `ABORTED` as soon as the signal fires; what the work
 * returns or throws later is dropped.
 */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined, message?: string): Promise<T> {
  if (!signal) return work;
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(abortedBy(signal, message));
    if (signal.aborted) stop();
    else listen(signal, stop);
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Starts work unless the signal has fired, and returns its outcome as `untilAborted` does. */
export async function unlessAborted<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  assertNotAborted(signal);
  return untilAborted(work(), signal);
}

/** Runs work with a signal that fires as soon as either of two does. */
export async function withEither<T>(
  [first, second]: readonly [AbortSignal, AbortSignal | undefined],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (!second) return work(first);
  // Not AbortSignal.any: in Node 20 its signal may be collected before one of AbortSignal.timeout fires.
  const either = new AbortController();
  const signals = [first, second];
  const stop = ({ target }: Pick<Event, 'target'>) => either.abort((target as AbortSignal).reason);
  for (const signal of signals) {
    if (signal.aborted) stop({ target: signal });
    else listen(signal, stop);
  }
  try {
    return await work(either.signal);
  } finally {
    for (const signal of signals) signal.removeEventListener('abort', stop);
  }
}

/** Many calls may share a signal, and each listens while it runs: Node would warn of a leak above ten. */
function listen(signal: AbortSignal, listener: (event: Event) => void): void {
  // Node refuses a signal that is not its own, such as one of jsdom; such a signal has no limit.
  errorOf(() => setMaxListeners(Number.POSITIVE_INFINITY, signal));
  signal.addEventListener('abort', listener);
}
