import { setImmediate } from 'node:timers/promises';
import { assertNotAborted } from '../domain/abortable.js';
import { iterate } from '../domain/scheduling/iterate.js';

/**
 * Works on items in order, `concurrency` at a time. After a failure or an abort no more work starts. Rejects only when
 * all started work has ended, so that no work continues unnoticed. Throws the first failure, or `ABORTED`.
 */
export async function forEachConcurrent<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  {
    concurrency,
    signal,
    work,
  }: { concurrency: number; signal: AbortSignal | undefined; work: (item: Item) => Promise<void> },
): Promise<void> {
  const iterator = iterate(items);
  let failure: { readonly error: unknown } | undefined;

  async function lane(): Promise<void> {
    while (!failure && !signal?.aborted) {
      try {
        const next = await iterator.next();
        if (next.done) return;
        await work(next.value);
        // Embedder and store may answer without any I/O: let the event loop run.
        await setImmediate();
      } catch (error) {
        failure ??= { error };
      }
    }
  }

  await Promise.all(Array.from({ length: concurrency }, lane));
  assertNotAborted(signal, 'Stopped. The next run continues from here.');
  if (failure) throw failure.error;
}
