import { ExactIndex } from 'waymark/vectors';
import { readVectors, type VectorFile } from '../vector-file.js';
import type { Contender } from './contender.js';
import { openedIndex } from './opened-index.js';

/** A scan of float32 rows only. */
export const float: Contender = scanOf('float');

/** A scan of int8 rows, the best of which are scored by their float32 rows. */
export const int8: Contender = scanOf(undefined);

/** The vectors are its stored form, so opening is building. */
function scanOf(precision: 'float' | undefined): Contender {
  return {
    async build({ vectors }) {
      filledIndex(vectors, precision);
      return {};
    },
    async open({ vectors }) {
      return openedIndex(filledIndex(vectors, precision));
    },
  };
}

/** An exact index of the vectors of a file. */
export function filledIndex(vectors: VectorFile, precision?: 'float'): ExactIndex {
  const { dimensions } = vectors;
  const index = new ExactIndex(precision === undefined ? { dimensions } : { dimensions, precision });
  let id = 0;
  for (const vector of readVectors(vectors)) index.add(id++, vector);
  return index;
}
