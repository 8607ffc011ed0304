import { reasonOf } from '../domain/errors.js';

/** Callbacks that have failed before. */
const reported = new WeakSet<object>();

/**
 * Wraps a caller's callback that only observes, such as `onProgress`: an error that it throws or rejects with fails no
 * work and ends no process. Its first error becomes a process warning. `name` is that of the option.
 */
export function observer<Given extends unknown[]>(
  name: string,
  callback: (...given: Given) => unknown,
): (...given: Given) => void {
  return (...given) => {
    // Called synchronously; only its error is handled later.
    const called = (async () => callback(...given))();
    called.catch((error: unknown) => {
      if (reported.has(callback)) return;
      reported.add(callback);
      const reason = reasonOf(error);
      process.emitWarning(`The callback ${name} failed, and the work went on without it: ${reason}`, 'WaymarkWarning');
    });
  };
}
