import { defineConfig } from 'vitest/config';

/** The tests that mutants of storage, indexing and host run against: see stryker.config.json. */
export default defineConfig({
  test: {
    include: [
      'test/{host,indexing,storage}/**/*.test.ts',
      'test/contract/files.test.ts',
      'test/engine/{engine,engine-close}.test.ts',
      'test/sqlite/sqlite-passage-store.test.ts',
    ],
    exclude: ['test/indexing/{parse-pool,thread-pool}.test.ts'],
    pool: 'forks',
    testTimeout: 60_000,
  },
});
