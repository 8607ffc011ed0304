import { defineConfig } from 'vitest/config';

/** The long form of test/reliability: a file after the other, since each fills the machine. */
export default defineConfig({
  test: {
    include: ['test/reliability/**/*.test.ts'],
    env: { WAYMARK_TORTURE: '1' },
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 30 * 60_000,
    hookTimeout: 60_000,
  },
});
