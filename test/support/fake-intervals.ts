import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';
import { onTestFinished, vi } from 'vitest';

/** Until the test ends, `Date` and intervals are fake, also those that the package imports from node:timers. */
export function fakeIntervals(): void {
  const { setInterval, clearInterval } = timers;
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  Object.assign(timers, { setInterval: globalThis.setInterval, clearInterval: globalThis.clearInterval });
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.useRealTimers();
    Object.assign(timers, { setInterval, clearInterval });
    syncBuiltinESMExports();
  });
}
