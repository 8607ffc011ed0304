import { defineConfig } from 'vitest/config';

/** Tests that notice most mutants within seconds. */
const QUICK = [
  'test/contract/files.test.ts',
  'test/engine/engine-close.test.ts',
  'test/host/{expiry,failing-embedder,fairness,host}.test.ts',
  'test/indexing/{allowance,embedder-failures,index-file,index-paths,set-passages}.test.ts',
  'test/indexing/folder/*.test.ts',
  'test/sqlite/sqlite-passage-store.test.ts',
  'test/storage/*.test.ts',
];

/** All tests of storage, indexing and host, for what survived the quick ones. */
const ALL = [...QUICK, 'test/engine/engine.test.ts', 'test/{host,indexing}/**/*.test.ts'];

const { MUTANTS } = process.env;

/** The tests that mutants of storage, indexing and host run against: see stryker.config.json. */
export default defineConfig({
  test: {
    include: MUTANTS === 'survivors' ? ALL : QUICK,
    exclude: ['test/indexing/{large-text,parse-pool,thread-pool}.test.ts'],
    pool: 'forks',
    // A test that hangs has noticed the mutant. The slowest takes 7 s.
    testTimeout: 20_000,
  },
});
