import { reasonOf } from '../domain/errors.js';

/** Callbacks that have failed before. */
const reported = new WeakSet<object>();

/**
 * A caller's callback, such as `onProgress`, that only watches: what it throws or rejects with fails no work and ends
 * no process. Its first error is a process warning. `name` is that of the option.
 */
export function observer<Given extends unknown[]>(
  name: string,
  callback: (...given: Given) => unknown,
): (...given: Given) => void {
  return (...given) => {
    // Called at once; only its error is awaited.
    const called = (async () => callback(...given))();
    called.catch((error: unknown) => {
      if (reported.has(callback)) return;
      reported.add(callback);
      const reason = reasonOf(error);
      process.emitWarning(`The callback ${name} failed, and the work went on without it: ${reason}`, 'WaymarkWarning');
    });
  };
}
