/**
 * The value below which a share of the values lies, between two of them by linear interpolation. `share` is 0..1; throws
 * `RangeError` for no values. Hyndman & Fan 1996, "Sample Quantiles in Statistical Packages", type 7.
 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  const at = (sorted.length - 1) * share;
  const lower = sorted[Math.floor(at)];
  const upper = sorted[Math.ceil(at)];
  if (lower === undefined || upper === undefined) throw new RangeError('a quantile needs a value, and a share in 0..1');
  return lower + (upper - lower) * (at - Math.floor(at));
}
