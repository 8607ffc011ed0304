import { defineConfig } from 'vitest/config';
import { seeds } from './test/support/seeds.js';

/** Tests that load a native runtime, measure their process, or break it. */
const OWN_PROCESS = ['test/{embed,reliability}/**/*.test.ts', 'test/bench/memory.test.ts'];

/** They start a Weaviate cluster: `npm run test:cluster`. */
const CLUSTER = 'test/cluster/**';

/** `npm test`: all tests but those of clusters and the long form of test/reliability, against the built package. */
export default defineConfig({
  plugins: [
    {
      // Vitest starts Node with --conditions development, with which it loads other builds of micromark than for users.
      name: 'as-for-users',
      configResolved({ ssr }) {
        if (ssr.resolve) ssr.resolve.conditions = ['module', 'node'];
      },
    },
  ],
  test: {
    ...seeds(),
    pool: 'forks',
    // Many tests wait for child processes: the default of one worker less would leave a core idle.
    maxWorkers: '100%',
    // What stops a test that hangs. A busy machine must not reach it, even one with ten times as much to do as it can:
    // no test depends on time.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    // Node loads the built package itself, as it does for users; Vitest transforms the tests only.
    server: { deps: { external: [/\/dist\//] } },
    projects: [
      { extends: true, test: { name: 'own process', include: OWN_PROCESS } },
      // These close what they open: a worker loads the package once for all of them, which halves their cost.
      {
        extends: true,
        test: { name: 'shared', include: ['test/**/*.test.ts'], exclude: [...OWN_PROCESS, CLUSTER], isolate: false },
      },
    ],
  },
});
