import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { seeds } from './test/support/seeds.js';

/*
 * `npm run test:unit`: the quick loop, from the TypeScript source without a build; add `-- --watch` to keep it running.
 *
 * The rule: a unit test starts no thread and no process, loads no model, and takes less than a second or so.
 * A new file in one of the folders below is a unit test. If it starts a thread or a process, it fails with a message
 * that leads here: list it under `exclude`. `npm test` runs all tests, these included, against the built package.
 */
const FOLDERS = [
  'bench',
  'cli/commands',
  'cli/output',
  'client',
  'contract',
  'domain',
  'evaluation',
  'event',
  'formats',
  'house',
  'search',
  'sqlite',
  'storage',
  'text',
  'vectors',
  'weaviate',
];

const { env, setupFiles } = seeds();
const src = fileURLToPath(new URL('./src/', import.meta.url));

export default defineConfig({
  resolve: {
    alias: [
      { find: /^waymark$/, replacement: `${src}index.ts` },
      { find: /^waymark\/(evaluation|vectors)$/, replacement: `${src}$1/index.ts` },
      { find: /^#src\/(.+)\.js$/, replacement: `${src}$1.ts` },
    ],
  },
  test: {
    watch: false,
    include: [...FOLDERS.map((folder) => `test/${folder}/**/*.test.ts`), 'test/indexing/folder/{diff,walk}.test.ts'],
    exclude: [
      'test/bench/{ablations,left-out,passages,quality,update}.test.ts',
      'test/client/in-process-and-http.test.ts',
      'test/contract/{files,limits,reference,same-everywhere,search-files}.test.ts',
      'test/event/{examples,query-from-text,with-knowledge,with-knowledge-failures}.test.ts',
      'test/formats/{formats,title-of-name}.test.ts',
      'test/formats/markdown/{labels,nesting,parse-markdown,properties,real}.test.ts',
      'test/house/{examples,links,questions,readme-example,release,snippets}.test.ts',
      'test/search/{consolidate,context,explain,highlight,large-text,modes,path,score}.test.ts',
      'test/search/{search,search-files,similar,tags,texts,too-large}.test.ts',
      'test/sqlite/long-texts.test.ts',
      'test/sqlite/connection/{checksums,database,database-file}.test.ts',
      'test/sqlite/connection/log/*.test.ts',
      'test/sqlite/embeddings/{snapshots,vector-cache,without-hnswlib}.test.ts',
      'test/vectors/hnsw/*.test.ts',
    ],
    env,
    setupFiles: [...setupFiles, 'test/support/no-threads.ts'],
    pool: 'forks',
    // The modules are loaded once per worker, not once per file: no unit test changes global state.
    isolate: false,
    // What stops a test that hangs. A busy machine must not reach it.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    maxWorkers: '100%',
  },
});
