import { setImmediate } from 'node:timers/promises';
import { type Abortable, assertNotAborted } from '../../domain/abortable.js';

/** How long a slice may block the event loop, in milliseconds, plus the step under way. */
const SLICE_MS = 10;

/**
 * Calls `step` for each item and yields to the event loop between slices of 10 ms. A step may remove its item; items
 * added meanwhile are processed too, so that none is left at the end. Throws `ABORTED` between two steps.
 */
export async function inSlices<T>(items: Set<T>, options: Abortable & { step: (item: T) => void }): Promise<void> {
  let end = performance.now() + SLICE_MS;
  for (const item of items) {
    if (performance.now() >= end) {
      await setImmediate();
      end = performance.now() + SLICE_MS;
    }
    // Another call may have taken the step during the pause.
    if (!items.has(item)) continue;
    const message = 'Building the HNSW index was stopped: the index stays usable, and the call can be repeated.';
    assertNotAborted(options.signal, message);
    options.step(item);
  }
}
