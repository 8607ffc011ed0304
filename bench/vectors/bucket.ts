/** Buckets that ids are dealt into: a filter passes those below a number. */
const BUCKETS = 1000;

/** Shares of the vectors that filters pass; 1 is none. */
export const SHARES = [1, 0.5, 0.1, 0.01, 0.001] as const;

/** The bucket of an id, 0..999, by a hash of it: no order that an index keeps its rows in helps with the filter. */
export function bucketOf(id: number): number {
  let hash = Math.imul(id ^ (id >>> 16), 0x45d9f3b);
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  return ((hash ^ (hash >>> 16)) >>> 0) % BUCKETS;
}

/** The bucket that those which a filter passes are below; undefined for no filter. */
export function belowOf(share: number): number | undefined {
  return share === 1 ? undefined : Math.round(share * BUCKETS);
}

/** Those of the first `count` ids that a filter passes, ascending. */
export function idsBelow(bucket: number, count: number): Uint32Array {
  return Uint32Array.from({ length: count }, (_, id) => id).filter((id) => bucketOf(id) < bucket);
}
