import { defineConfig } from 'vitest/config';

/** `npm test`: all tests but the long form of test/reliability, against the built package. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // One process per file: onnxruntime-node must be loaded on a main thread before any worker thread loads it.
    pool: 'forks',
    // Many tests wait for child processes: the default of one worker less would leave a core idle.
    maxWorkers: '100%',
    testTimeout: 60_000,
  },
});
