import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createHashEmbedder } from 'waymark';
import { at, fileToPut, putNow } from '../../support/file-to-put.js';
import { folderOf } from '../../support/folder.js';
import { runModule } from '../../support/node.js';
import { storeOf } from '../../support/store.js';

describe('without hnswlib-node', () => {
  /** Makes `require('hnswlib-node')` fail as if it were not installed. */
  const HIDE = `
    const Module = require('node:module');
    const resolve = Module._resolveFilename;
    Module._resolveFilename = function (request, ...rest) {
      if (request !== 'hnswlib-node') return resolve.call(this, request, ...rest);
      throw Object.assign(new Error("Cannot find module 'hnswlib-node'"), { code: 'MODULE_NOT_FOUND' });
    };`;

  async function withoutHnswlib(program: string, args: readonly string[]): Promise<unknown> {
    const hide = path.join(folderOf({ 'hide.cjs': HIDE }), 'hide.cjs');
    const { code, stdout, stderr } = await runModule(program, args, ['--require', hide]);
    expect([code, stderr]).toEqual([0, '']);
    return JSON.parse(stdout);
  }

  const reason =
    'hnswlib-node cannot be loaded: its installation needs a C++ compiler. See why with npm install --foreground-scripts, or use the exact index.';

  test("'hnsw' throws VECTOR_INDEX_UNAVAILABLE on opening", async () => {
    const program = `
      import { createHashEmbedder, openEngine } from 'waymark';
      const opening = openEngine({ database: process.argv[1], model: createHashEmbedder(), index: 'hnsw' });
      console.log(JSON.stringify(await opening.catch(({ code, message }) => ({ code, message }))));`;
    const thrown = await withoutHnswlib(program, [path.join(folderOf(), 'waymark.db')]);
    expect(thrown).toEqual({ code: 'VECTOR_INDEX_UNAVAILABLE', message: reason });
  });

  test("'auto' scans where it would use HNSW, with one warning", async () => {
    const { store, connection } = await storeOf({ dimensions: 64 });
    await putNow(store, fileToPut('a.md', ['zebra', 'zebra', 'zebra']));
    const [zebra] = await createHashEmbedder().embedPassages(['zebra']);
    const [pending] = await store.pending({ after: 0, limit: 1 });
    await store.putEmbeddings([{ id: pending?.id ?? 0, embedding: zebra ?? at(0) }]);
    const copy = path.join(folderOf(), 'waymark.db');
    await store.flush();
    // As if the hash embedder had embedded it.
    connection.exec(`UPDATE models SET fingerprint = 'hash 64', name = 'hash'`);
    connection.exec(`VACUUM INTO '${copy}'`);
    const program = `
      import { createHashEmbedder, openEngine } from 'waymark';
      const warnings = [];
      const onWarning = (message) => warnings.push(message);
      const model = createHashEmbedder();
      const engine = await openEngine({ database: process.argv[1], model, hnswFrom: 2, onWarning });
      const statuses = [(await engine.status()).index];
      const [hit] = await engine.search('zebra', { limit: 1 });
      await engine.indexFile('b.md', 'yak');
      statuses.push((await engine.status()).index);
      await engine.close();
      console.log(JSON.stringify({ statuses, found: hit.passage.position, warnings }));`;
    expect(await withoutHnswlib(program, [copy])).toEqual({
      statuses: ['exact', 'exact'],
      found: 0,
      warnings: [`${reason} Until then every search scans all 3 passages.`],
    });
  });
});
