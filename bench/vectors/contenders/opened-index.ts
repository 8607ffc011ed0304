import type { VectorIndex } from 'waymark/vectors';
import { belowOf, idsBelow, SHARES } from '../buckets.js';
import type { OpenContender } from './contender.js';

/**
 * An index of Waymark as a contender. The ids that a filter passes come from the database, which is not measured here.
 */
export function openedIndex(index: VectorIndex): OpenContender {
  const filters = SHARES.map(belowOf).filter((below) => below !== undefined);
  const idsOf = new Map(filters.map((below) => [below, idsBelow(below, index.size)]));
  return {
    settings: ['as shipped'],
    use() {},
    filters: true,
    async search(query, { limit, below }) {
      const only = below === undefined ? undefined : idsOf.get(below);
      return index.search(query, only === undefined ? { limit } : { limit, only }).map(({ id }) => id);
    },
    async close() {},
  };
}
