import { describe, expect, it } from 'vitest';
import { mulberry32 } from 'waymark/evaluation';
import { WaymarkError } from '#src/domain/errors.js';
import { ExactIndex } from '#src/vectors/exact/exact.js';
import { HnswIndex } from '#src/vectors/hnsw/hnsw.js';
import { readHnswFile } from '#src/vectors/hnsw/hnsw-file.js';
import { readSnapshot } from '#src/vectors/hnsw/hnsw-snapshot.js';
import { clustered } from '../clustered.js';
import { ALWAYS_GRAPH } from './always-graph.js';

const VECTORS = clustered(300, { dimensions: 8, seed: 31 });
const damagedError = { code: 'VECTOR_INDEX_DAMAGED' };

/** Offsets in a snapshot of 300 nodes: hnswlib's file, with a header of 96 bytes, and nodes of 172 bytes. */
const FILE = 12 + 4 * 300;
const NODES = FILE + 96;
const LEVELS = NODES + 300 * 172;

const exact = new ExactIndex({ dimensions: 8 });
for (const [id, vector] of VECTORS.entries()) exact.add(id, vector);
const whole = await (await HnswIndex.build(exact)).snapshot();

function changed(change: (bytes: DataView) => void): Uint8Array {
  const bytes = whole.slice();
  change(new DataView(bytes.buffer));
  return bytes;
}

/** Restores a snapshot and, if that succeeds, uses every method of the index. Returns whether it was restored. */
async function restoreAndUse(bytes: Uint8Array): Promise<boolean> {
  const copy = new ExactIndex({ dimensions: 8 });
  for (const [id, vector] of VECTORS.entries()) copy.add(id, vector);
  try {
    const index = await HnswIndex.restore(bytes, copy, ALWAYS_GRAPH);
    await index.catchUp();
    for (const [id, vector] of VECTORS.entries()) {
      if (id % 15 !== 0) continue;
      const found = index.search(vector, { limit: 10 });
      const ids = Uint32Array.from(found, (neighbour) => neighbour.id);
      expect([found.length, new Set(ids).size]).toEqual([10, 10]);
      expect(Float32Array.from(found, ({ score }) => score)).toEqual(copy.scores(vector, ids));
      index.add(1000 + id, vector);
    }
    return true;
  } catch (error) {
    if (error instanceof WaymarkError && error.code === 'VECTOR_INDEX_DAMAGED') return false;
    throw error;
  }
}

describe('a damaged snapshot', () => {
  it('is detected when it is cut at any length, or too long', async () => {
    for (let length = 0; length < whole.length; length += length < 3000 ? 1 : 97) {
      await expect(readSnapshot(whole.subarray(0, length), 8)).rejects.toMatchObject(damagedError);
    }
    const longer = Buffer.concat([whole, Buffer.alloc(4)]);
    await expect(readSnapshot(longer, 8)).rejects.toMatchObject(damagedError);
  });

  it.each([
    ['magic', changed((bytes) => bytes.setUint8(0, 0))],
    ['number of ids', changed((bytes) => bytes.setUint32(8, 299, true))],
    ['excessive number of ids', changed((bytes) => bytes.setUint32(8, 0xffff_ffff, true))],
    ['capacity', changed((bytes) => bytes.setUint32(FILE + 12, 1, true))],
    ['capacity below the count', changed((bytes) => bytes.setUint32(FILE + 8, 299, true))],
    ['count', changed((bytes) => bytes.setUint32(FILE + 20, 1, true))],
    ['size of a node', changed((bytes) => bytes.setUint32(FILE + 24, 176, true))],
    ['offset', changed((bytes) => bytes.setUint32(FILE + 40, 0, true))],
    ['top level', changed((bytes) => bytes.setInt32(FILE + 48, 9, true))],
    ['negative top level', changed((bytes) => bytes.setInt32(FILE + 48, -1, true))],
    ['entry point beyond the nodes', changed((bytes) => bytes.setUint32(FILE + 52, 300, true))],
    ['M', changed((bytes) => bytes.setUint32(FILE + 56, 0, true))],
    ['level factor', changed((bytes) => bytes.setFloat64(FILE + 80, Number.NaN, true))],
    ['efConstruction', changed((bytes) => bytes.setUint32(FILE + 88, 0, true))],
    ['number of links', changed((bytes) => bytes.setUint16(NODES, 33, true))],
    ['deletion mark of a node', changed((bytes) => bytes.setUint8(NODES + 2, 1))],
    ['link beyond the nodes', changed((bytes) => bytes.setUint32(NODES + 4, 300, true))],
    ['link to itself', changed((bytes) => bytes.setUint32(NODES + 4, 0, true))],
    ['label', changed((bytes) => bytes.setUint32(NODES + 164, 7, true))],
    ['upper bytes', changed((bytes) => bytes.setUint32(LEVELS, 67, true))],
    ['end', changed((bytes) => bytes.setUint32(whole.length - 4, 68, true))],
  ])('is detected by its %s', async (_name, bytes) => {
    await expect(readSnapshot(bytes, 8)).rejects.toMatchObject(damagedError);
  });

  it('is detected by an upper link to a node without that level', async () => {
    // Takes the first node with an upper level, whose links may only lead to nodes that have this level too.
    const view = new DataView(whole.buffer);
    let at = LEVELS;
    while (view.getUint32(at, true) === 0) at += 4;
    const low = view.getUint32(LEVELS, true) === 0 ? 0 : 1;
    const bytes = changed((copy) => copy.setUint32(at + 8, low, true));
    await expect(readSnapshot(bytes, 8)).rejects.toMatchObject(damagedError);
  });

  it('is detected by a vector whose length is not 1', async () => {
    const bytes = changed((view) => view.setFloat32(NODES + 132, Number.NaN, true));
    await expect(HnswIndex.restore(bytes, exact)).rejects.toMatchObject(damagedError);
  });

  it('with the id of another vector leaves the original id missing', async () => {
    const index = await HnswIndex.restore(
      changed((view) => view.setUint32(12, 5, true)),
      exact,
    );
    expect(index.missing()).toEqual([0]);
  });

  it('with any bit flipped is detected, or restores a usable index', async () => {
    const random = mulberry32(32);
    let restored = 0;
    let detected = 0;
    for (let at = 0; at < whole.length; at += at < NODES + 400 || at >= LEVELS ? 7 : 101) {
      const bytes = whole.slice();
      bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(8 * random()));
      if (await restoreAndUse(bytes)) restored++;
      else detected++;
    }
    expect(detected).toBeGreaterThan(200);
    expect(restored).toBeGreaterThan(50);
  });

  it('with many bytes overwritten is detected, or restores a usable index', async () => {
    const random = mulberry32(33);
    for (let round = 0; round < 200; round++) {
      const bytes = whole.slice();
      const from = Math.floor(random() * bytes.length);
      const to = from + Math.floor(random() * 200);
      for (let at = from; at < to && at < bytes.length; at++) bytes[at] = Math.floor(256 * random());
      await restoreAndUse(bytes);
    }
  });
});

it('an empty file is not a file of hnswlib', async () => {
  await expect(readHnswFile(new Uint8Array(), 8)).rejects.toMatchObject(damagedError);
});
