import { onTestFinished, vi } from 'vitest';

/** An ISO 8601 time, in milliseconds from now. */
export function inMilliseconds(milliseconds: number): string {
  return new Date(Date.now() + milliseconds).toISOString();
}

/** Puts the clock of this process forward, until the test has finished. */
export function later(milliseconds: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + milliseconds });
  onTestFinished(() => {
    vi.useRealTimers();
  });
}
