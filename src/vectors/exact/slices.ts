import { setImmediate } from 'node:timers/promises';
import { WaymarkError } from '../../domain/errors.js';

/** How long the event loop waits at most, in milliseconds, but for a single step that takes longer. */
const SLICE_MS = 10;

/**
 * Takes one step after the other and lets the event loop turn in between. A step may remove its item; an item added
 * meanwhile has its turn too, so at the end there is none without. Throws `ABORTED` between two steps.
 */
export async function inSlices<T>(
  items: Set<T>,
  options: { step: (item: T) => void; signal?: AbortSignal | undefined },
): Promise<void> {
  let end = performance.now() + SLICE_MS;
  for (const item of items) {
    if (performance.now() >= end) {
      await setImmediate();
      end = performance.now() + SLICE_MS;
    }
    if (options.signal?.aborted) {
      throw new WaymarkError(
        'ABORTED',
        'The work on the HNSW index was aborted: it serves on, and the work may be started again.',
        {
          cause: options.signal.reason,
        },
      );
    }
    options.step(item);
  }
}
