import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { HnswIndex } from 'waymark/vectors';
import type { Contender, Place } from './contender.js';
import { filledIndex } from './exact.js';
import { openedIndex } from './opened-index.js';

/** The graph with an exact index beside it, stored as the vectors and a snapshot. */
export const hnsw: Contender = {
  async build(place) {
    const index = await HnswIndex.build(filledIndex(place.vectors));
    await writeFile(snapshotIn(place), await index.snapshot({ folder: place.folder }));
    return {};
  },
  async open(place) {
    return openedIndex(await HnswIndex.restore(await readFile(snapshotIn(place)), filledIndex(place.vectors)));
  },
};

function snapshotIn({ folder }: Place): string {
  return path.join(folder, 'snapshot');
}
