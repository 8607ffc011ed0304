import { belowOf, idsBelow, SHARES } from '../bucket.js';

/** The ids that each filter passes: Waymark gets them from its database, which is measured elsewhere. */
export function onlyOf(count: number): ReadonlyMap<number | undefined, Uint32Array> {
  return new Map(
    SHARES.map(belowOf).flatMap((below) => (below === undefined ? [] : [[below, idsBelow(below, count)]])),
  );
}
