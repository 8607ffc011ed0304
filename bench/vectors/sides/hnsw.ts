import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ExactIndex, HnswIndex } from 'waymark/vectors';
import { fill } from './exact.js';
import { onlyOf } from './filters.js';
import { openIndex } from './open-index.js';
import type { Place, Side } from './side.js';

/** The graph with the exact rows beside it, stored as the vectors and a snapshot. */
export const hnsw: Side = {
  async build(place) {
    const index = await HnswIndex.build(rowsOf(place));
    await writeFile(snapshotIn(place), await index.snapshot({ folder: place.folder }));
    return {};
  },
  async open(place) {
    const index = await HnswIndex.restore(await readFile(snapshotIn(place)), rowsOf(place));
    return openIndex(index, onlyOf(place.vectors.count));
  },
};

function rowsOf({ vectors }: Place): ExactIndex {
  return fill(new ExactIndex({ dimensions: vectors.dimensions }), vectors);
}

function snapshotIn({ folder }: Place): string {
  return path.join(folder, 'snapshot');
}
