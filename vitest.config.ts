import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // A process a file: onnxruntime-node must be loaded on a main thread before any worker loads it.
    pool: 'forks',
    testTimeout: 60_000,
  },
});
