import { ExactIndex } from 'waymark/vectors';
import { readVectors, type VectorFile } from '../vector-file.js';
import { onlyOf } from './filters.js';
import { openIndex } from './open-index.js';
import type { Side } from './side.js';

/** The scan over floats alone. */
export const float: Side = sideOf(({ dimensions }) => new ExactIndex({ dimensions, precision: 'float' }));

/** As it is used: over bytes, with the best of it scored by floats. */
export const int8: Side = sideOf(({ dimensions }) => new ExactIndex({ dimensions }));

/** Its stored form is the vectors themselves: building is loading. */
function sideOf(create: (vectors: VectorFile) => ExactIndex): Side {
  const filled = (vectors: VectorFile) => fill(create(vectors), vectors);
  return {
    async build({ vectors }) {
      filled(vectors);
      return {};
    },
    async open({ vectors }) {
      return openIndex(filled(vectors), onlyOf(vectors.count));
    },
  };
}

export function fill(index: ExactIndex, vectors: VectorFile): ExactIndex {
  let id = 0;
  for (const vector of readVectors(vectors)) index.add(id++, vector);
  return index;
}
