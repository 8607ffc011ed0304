import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ExactIndex } from '#src/vectors/exact/exact.js';
import { HnswIndex } from '#src/vectors/hnsw/hnsw.js';
import { clustered } from '../clustered.js';
import { ALWAYS_GRAPH } from './always-graph.js';

const VECTORS = clustered(1500, { dimensions: 20, seed: 21 });
const QUERIES = clustered(50, { dimensions: 20, seed: 22 });
const [NEW = new Float32Array()] = clustered(1, { dimensions: 20, seed: 23 });

function rows(): ExactIndex {
  const exact = new ExactIndex({ dimensions: 20 });
  // Half of the ids are above 2³¹: a signed number would corrupt them.
  for (const [place, vector] of VECTORS.entries()) exact.add(place % 2 ? place : 2 ** 32 - 1 - place, vector);
  return exact;
}

function resultsOf(index: HnswIndex) {
  return [...QUERIES, NEW].map((query) => index.search(query, { limit: 20 }));
}

/** A snapshot of format 1, compressed: the vectors [1, 0], [0, 1] and [0.6, 0.8] under the ids 7, 9 and 11. */
const FORMAT_1 =
  'C/f18AsON+RiZmBgYGdgYOBkYGDgZkACLBCKGcqdAqV7oHQLAyoQgNIKaPx/Tdqp7qLX7U9A+UwMDAyMUHrgQIM9Mo8JjR440GDPCGXB3MKI' +
  'WzHNwayZkvZnz/jYYwsXAA==';

it('a snapshot of format 1 is still restored', async () => {
  const exact = new ExactIndex({ dimensions: 2 });
  exact.add(7, Float32Array.of(1, 0));
  exact.add(9, Float32Array.of(0, 1));
  exact.add(11, Float32Array.of(0.6, 0.8));
  const index = await HnswIndex.restore(inflateRawSync(Buffer.from(FORMAT_1, 'base64')), exact, ALWAYS_GRAPH);
  expect(index.missing()).toEqual([]);
  expect(index.search(Float32Array.of(0, 1), { limit: 3 }).map(({ id }) => id)).toEqual([9, 11, 7]);
});

describe('a snapshot', () => {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-test-'));
  let index: HnswIndex;
  let bytes: Uint8Array;

  beforeAll(async () => {
    index = await HnswIndex.build(rows(), ALWAYS_GRAPH);
    for (let id = 1; id < 300; id += 2) index.remove(id);
    index.add(301, NEW);
    bytes = await index.snapshot({ folder });
  });

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('restores an index with the same results, after removals and replacements', async () => {
    const restored = await HnswIndex.restore(bytes, index.exact, ALWAYS_GRAPH);
    expect(restored.missing()).toEqual([]);
    expect(resultsOf(restored)).toEqual(resultsOf(index));
    expect(restored.needsRebuild).toBe(index.needsRebuild);
  });

  it('leaves no file behind', () => {
    expect(readdirSync(folder)).toEqual([]);
  });

  it('restores over rows that have changed since then', async () => {
    const exact = rows();
    exact.remove(501);
    exact.add(503, NEW);
    exact.add(2_000_000, NEW);
    const restored = await HnswIndex.restore(bytes, exact, ALWAYS_GRAPH);
    // 1 to 299, removed before the snapshot, and 301, replaced, have tombstones that match the rows again.
    expect(restored.missing()).toEqual([503, 2_000_000]);
    const nearest = () => restored.search(NEW, { limit: 2 }).map(({ id }) => id);
    expect(nearest()).toEqual([503, 2_000_000]);
    await restored.catchUp();
    expect([restored.missing(), restored.size, restored.has(501)]).toEqual([[], 1500, false]);
    expect(nearest()).toEqual([503, 2_000_000]);
  });

  it('restores an index that accepts vectors and can be saved again', async () => {
    const restored = await HnswIndex.restore(bytes, rows(), ALWAYS_GRAPH);
    const added = clustered(1000, { dimensions: 20, seed: 24 });
    for (const [place, vector] of added.entries()) restored.add(10_000 + place, vector);
    for (const [place, vector] of added.entries()) {
      if (place % 50 === 0) expect(restored.search(vector, { limit: 1 })[0]?.id).toBe(10_000 + place);
    }
    const again = await HnswIndex.restore(await restored.snapshot(), restored.exact, ALWAYS_GRAPH);
    expect(again.missing()).toEqual([]);
    expect(resultsOf(again)).toEqual(resultsOf(restored));
  });

  it('of an empty index can be restored', async () => {
    const empty = new HnswIndex(new ExactIndex({ dimensions: 20 }));
    const restored = await HnswIndex.restore(await empty.snapshot(), rows(), ALWAYS_GRAPH);
    expect(restored.missing()).toHaveLength(1500);
    await restored.catchUp();
    expect(restored.search(VECTORS[1] ?? NEW, { limit: 1 })[0]?.id).toBe(1);
  });

  it('cannot be restored over rows of other dimensions', async () => {
    const damaged = { code: 'VECTOR_INDEX_DAMAGED' };
    await expect(HnswIndex.restore(bytes, new ExactIndex({ dimensions: 19 }))).rejects.toMatchObject(damaged);
    await expect(HnswIndex.restore(bytes, new ExactIndex({ dimensions: 40 }))).rejects.toMatchObject(damaged);
  });

  it('through a missing folder is an error', async () => {
    const missing = join(folder, 'missing');
    await expect(index.snapshot({ folder: missing })).rejects.toMatchObject({
      code: 'VECTOR_INDEX_UNAVAILABLE',
      cause: { code: 'ENOENT' },
    });
    expect(existsSync(missing)).toBe(false);
  });

  it('that does not fit on the disk is an error', async () => {
    // A file size limit simulates a full disk: hnswlib's write stops short without an error.
    const program = `
      process.on('SIGXFSZ', () => {});
      const { ExactIndex } = await import('./exact/exact.js');
      const { HnswIndex } = await import('./hnsw/hnsw.js');
      const index = new HnswIndex(new ExactIndex({ dimensions: 2 }));
      for (let id = 0; id < 500; id++) index.add(id, Float32Array.of(Math.cos(id), Math.sin(id)));
      await index.snapshot().then(() => console.log('written'), ({ code, cause }) => console.log(code, cause.code));`;
    const { stdout } = await promisify(execFile)(
      'sh',
      ['-c', 'ulimit -f 16; exec "$0" --input-type=module --eval "$1"', process.execPath, program],
      { cwd: new URL('../../../dist/vectors/', import.meta.url) },
    );
    expect(stdout).toBe('VECTOR_INDEX_UNAVAILABLE VECTOR_INDEX_DAMAGED\n');
  });
});
