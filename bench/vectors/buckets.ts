/** Buckets into which ids are hashed. A filter passes those below a number. */
const BUCKETS = 1000;

/** Shares of the vectors that the filters pass; 1 is no filter. */
export const SHARES = [1, 0.5, 0.1, 0.01, 0.001] as const;

/** The bucket of an id, 0..999. A hash, so that no order of rows in an index helps with the filter. */
export function bucketOf(id: number): number {
  let hash = Math.imul(id ^ (id >>> 16), 0x45d9f3b);
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  return ((hash ^ (hash >>> 16)) >>> 0) % BUCKETS;
}

/** The bucket below which a filter passes a share of the vectors; undefined for no filter. */
export function belowOf(share: number): number | undefined {
  return share === 1 ? undefined : Math.round(share * BUCKETS);
}

/** The ids below `count` whose bucket is below `bucket`, ascending. */
export function idsBelow(bucket: number, count: number): Uint32Array {
  return Uint32Array.from({ length: count }, (_, id) => id).filter((id) => bucketOf(id) < bucket);
}
