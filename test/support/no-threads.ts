import { vi } from 'vitest';

/** Makes every test that starts a thread or a process fail: see vitest.unit.config.ts. */

function refuse(): never {
  throw new Error('A unit test starts no thread and no process: exclude this file in vitest.unit.config.ts.');
}

vi.mock('node:worker_threads', async (original) => ({
  ...(await original<typeof import('node:worker_threads')>()),
  // A function, so that `new` can call it.
  Worker: function Worker() {
    refuse();
  },
}));

vi.mock('node:child_process', async (original) => ({
  ...(await original<typeof import('node:child_process')>()),
  execFile: refuse,
  execFileSync: refuse,
  fork: refuse,
  spawn: refuse,
}));
