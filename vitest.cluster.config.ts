import { defineConfig } from 'vitest/config';
import { NoGo, serverBinary } from './test/cluster/build.js';
import { seeds } from './test/support/seeds.js';

/** Suites that hold over SQLite files and over a cluster: of operations over HTTP, `searchFiles` and uploads. */
const UNCHANGED = [
  'test/client/in-process-and-http.test.ts',
  'test/contract/{files,search-files}.test.ts',
  'test/host/overlapping-uploads.test.ts',
  'test/search/{consolidate,context,path,search-files}.test.ts',
];

/**
 * `npm run test:cluster`: tests that need a Weaviate cluster, one file at a time, as each uses the whole machine. Those
 * outside of test/cluster share one. The server is built first, unless an earlier run has; where there is no Go, no test runs.
 */
export default defineConfig(async () => {
  const isPossible = await canRun();
  const include = isPossible ? ['test/{cluster,weaviate}/**/*.test.ts', ...UNCHANGED] : [];
  return {
    test: {
      ...seeds(),
      include,
      passWithNoTests: !isPossible,
      globalSetup: isPossible ? ['test/cluster/shared-cluster.ts'] : [],
      pool: 'forks',
      fileParallelism: false,
      // What stops a test that hangs; a busy machine must not reach it.
      testTimeout: 900_000,
      hookTimeout: 900_000,
      server: { deps: { external: [/\/dist\//] } },
    },
  };
});

async function canRun(): Promise<boolean> {
  try {
    await serverBinary();
    return true;
  } catch (error) {
    if (!(error instanceof NoGo)) throw error;
    console.log(`The tests of the cluster are skipped. ${error.message}`);
    return false;
  }
}
