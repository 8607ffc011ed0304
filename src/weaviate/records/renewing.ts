import { setTimeout } from 'node:timers/promises';

/**
 * Runs work, and calls `renew` every so many milliseconds until it has ended, also after one that failed. No renewal is
 * running once this resolves.
 */
export async function renewing<T>(
  { every, renew }: { readonly every: number; readonly renew: () => Promise<void> },
  work: () => Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  const { signal } = ended;
  const renewals = async () => {
    for (;;) {
      await setTimeout(every, undefined, { signal, ref: false });
      // The next one may succeed.
      await renew().catch(() => {});
    }
  };
  const running = renewals().catch(() => {});
  try {
    return await work();
  } finally {
    ended.abort();
    await running;
  }
}
