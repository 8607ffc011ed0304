import { ExactIndex } from 'waymark';
import { UsageError } from '../../usage-error.js';
import { readVectors, type VectorFile } from '../vector-file.js';
import { onlyOf } from './filters.js';
import { openIndex } from './open-index.js';
import type { Side } from './side.js';

export const exact: Side = sideOf(({ dimensions }) => new ExactIndex({ dimensions }));

/** The scan over bytes, with the best of it scored by floats. */
export const int8: Side = sideOf(({ dimensions }) => {
  const options = { dimensions, precision: 'int8' } as const;
  const index = new ExactIndex(options);
  if ('precision' in index && index.precision === 'int8') return index;
  throw new UsageError('this build of Waymark has no scan over bytes');
});

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
