import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // A process a file: onnxruntime-node must be loaded on a main thread before any worker loads it.
    pool: 'forks',
    // Many tests wait for processes of their own: a core less, as by default, is a core idle.
    maxWorkers: '100%',
    testTimeout: 60_000,
  },
});
