import type { VectorIndex } from 'waymark/vectors';
import type { OpenSide } from './side.js';

/** An index of Waymark as a side, with the ids of each filter. */
export function openIndex(index: VectorIndex, only: ReadonlyMap<number | undefined, Uint32Array>): OpenSide {
  return {
    settings: ['as shipped'],
    use() {},
    filters: true,
    async search(query, { limit, below }) {
      const ids = only.get(below);
      return index.search(query, ids === undefined ? { limit } : { limit, only: ids }).map(({ id }) => id);
    },
    async close() {},
  };
}
