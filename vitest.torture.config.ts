import { defineConfig } from 'vitest/config';
import { seeds } from './test/support/seeds.js';

const { env, setupFiles } = seeds();

/** `npm run test:torture`: the long form of the tests that have one, one file at a time: each uses the whole machine. */
export default defineConfig({
  test: {
    include: ['test/reliability/**/*.test.ts', 'test/formats/markdown/real.test.ts'],
    env: { ...env, WAYMARK_TORTURE: '1' },
    setupFiles,
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 30 * 60_000,
    hookTimeout: 300_000,
  },
});
