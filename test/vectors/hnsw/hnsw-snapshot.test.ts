import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ExactIndex } from '#src/vectors/exact/exact.js';
import { HnswIndex } from '#src/vectors/hnsw/hnsw.js';
import { clustered } from '../seeded.js';

const ASK_THE_GRAPH = { rowsPerCandidate: 1 };
const VECTORS = clustered(1500, { dimensions: 20, seed: 21 });
const QUERIES = clustered(50, { dimensions: 20, seed: 22 });
const [NEW = new Float32Array()] = clustered(1, { dimensions: 20, seed: 23 });

function rows(): ExactIndex {
  const exact = new ExactIndex({ dimensions: 20 });
  // Ids above 2³¹ too, which a signed number would not survive.
  for (const [place, vector] of VECTORS.entries()) exact.add(place % 2 ? place : 2 ** 32 - 1 - place, vector);
  return exact;
}

function answers(index: HnswIndex) {
  return [...QUERIES, NEW].map((query) => index.search(query, { limit: 20 }));
}

describe('a snapshot', () => {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-test-'));
  let index: HnswIndex;
  let bytes: Uint8Array;

  beforeAll(async () => {
    index = await HnswIndex.build(rows(), ASK_THE_GRAPH);
    for (let id = 1; id < 300; id += 2) index.remove(id);
    index.add(301, NEW);
    bytes = await index.snapshot({ folder });
  });

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('restores an index that answers alike, removed and replaced ids included', async () => {
    const restored = await HnswIndex.restore(bytes, index.exact, ASK_THE_GRAPH);
    expect(restored.missing()).toEqual([]);
    expect(answers(restored)).toEqual(answers(index));
    expect(restored.needsRebuild).toBe(index.needsRebuild);
  });

  it('leaves no file behind', () => {
    expect(readdirSync(folder)).toEqual([]);
  });

  it('restores over rows that have changed since', async () => {
    const exact = rows();
    exact.remove(501);
    exact.add(503, NEW);
    exact.add(2_000_000, NEW);
    const restored = await HnswIndex.restore(bytes, exact, ASK_THE_GRAPH);
    // 1 to 299, removed before the snapshot, and 301, replaced, still have the nodes of the vectors they have now.
    expect(restored.missing()).toEqual([503, 2_000_000]);
    const nearest = () => restored.search(NEW, { limit: 2 }).map(({ id }) => id);
    expect(nearest()).toEqual([503, 2_000_000]);
    await restored.catchUp();
    expect([restored.missing(), restored.size, restored.has(501)]).toEqual([[], 1500, false]);
    expect(nearest()).toEqual([503, 2_000_000]);
  });

  it('restores an index that takes further vectors, and another snapshot', async () => {
    const restored = await HnswIndex.restore(bytes, rows(), ASK_THE_GRAPH);
    const added = clustered(1000, { dimensions: 20, seed: 24 });
    for (const [place, vector] of added.entries()) restored.add(10_000 + place, vector);
    for (const [place, vector] of added.entries()) {
      if (place % 50 === 0) expect(restored.search(vector, { limit: 1 })[0]?.id).toBe(10_000 + place);
    }
    const again = await HnswIndex.restore(await restored.snapshot(), restored.exact, ASK_THE_GRAPH);
    expect(again.missing()).toEqual([]);
    expect(answers(again)).toEqual(answers(restored));
  });

  it('of an empty index restores', async () => {
    const empty = new HnswIndex(new ExactIndex({ dimensions: 20 }));
    const restored = await HnswIndex.restore(await empty.snapshot(), rows(), ASK_THE_GRAPH);
    expect(restored.missing()).toHaveLength(1500);
    await restored.catchUp();
    expect(restored.search(VECTORS[1] ?? NEW, { limit: 1 })[0]?.id).toBe(1);
  });

  it('does not restore over rows of other dimensions', async () => {
    const damaged = { code: 'VECTOR_INDEX_DAMAGED' };
    await expect(HnswIndex.restore(bytes, new ExactIndex({ dimensions: 19 }))).rejects.toMatchObject(damaged);
    await expect(HnswIndex.restore(bytes, new ExactIndex({ dimensions: 40 }))).rejects.toMatchObject(damaged);
  });

  it('into a folder that is missing is an error', async () => {
    const missing = join(folder, 'missing');
    await expect(index.snapshot({ folder: missing })).rejects.toMatchObject({
      code: 'VECTOR_INDEX_UNAVAILABLE',
      cause: { code: 'ENOENT' },
    });
    expect(existsSync(missing)).toBe(false);
  });

  it('that the disk takes a part of only is an error', async () => {
    // A limit on the size of files stands for a full disk: hnswlib's write stops short and says nothing.
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
