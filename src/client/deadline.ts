/** A caller's signal combined with a time limit. */
export interface Deadline {
  /** Fires with the caller's signal, or when the time is over. */
  readonly signal: AbortSignal;
  readonly isOver: () => boolean;
  /** Call it when the work is done: it removes the timer and the listener on the caller's signal. */
  readonly clear: () => void;
}

/**
 * `timeout` is in milliseconds. Not `AbortSignal.any` with `AbortSignal.timeout`: in Node 20 the combined signal may be
 * garbage-collected before it fires.
 */
export function deadline(timeout: number, signal: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    controller.abort();
  }, timeout);
  const stop = () => controller.abort(signal?.reason);
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop, { once: true });
  return {
    signal: controller.signal,
    isOver: () => isOver,
    clear: () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    },
  };
}
