import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { hnswUnavailable } from '#src/vectors/hnsw/hnswlib.js';

it('hnswlib-node is available where it is installed', () => {
  expect(hnswUnavailable()).toBeUndefined();
});

it('without hnswlib-node the error says what to do, and the exact index works', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-test-'));
  try {
    for (const part of ['domain', 'vectors']) {
      cpSync(new URL(`../../../dist/${part}`, import.meta.url), join(folder, part), { recursive: true });
    }
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    const program = `
      const { ExactIndex } = await import('./vectors/exact/exact.js');
      const { HnswIndex } = await import('./vectors/hnsw/hnsw.js');
      const { hnswUnavailable } = await import('./vectors/hnsw/hnswlib.js');
      const exact = new ExactIndex({ dimensions: 2 });
      exact.add(1, Float32Array.of(1, 0));
      const thrown = await HnswIndex.build(exact).catch((error) => error);
      const found = exact.search(Float32Array.of(1, 0), { limit: 1 });
      console.log(JSON.stringify([hnswUnavailable().code, thrown.code, thrown.message, thrown.cause.code, found]));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: folder,
    });
    expect(JSON.parse(stdout)).toEqual([
      'VECTOR_INDEX_UNAVAILABLE',
      'VECTOR_INDEX_UNAVAILABLE',
      'hnswlib-node cannot be loaded: its installation needs a C++ compiler. See why with npm install ' +
        '--foreground-scripts, or use the exact index.',
      'MODULE_NOT_FOUND',
      [{ id: 1, score: 1 }],
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
