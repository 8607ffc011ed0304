/**
 * Quantile of the values by linear interpolation; `share` is 0..1, and 0.5 is the median. Throws `RangeError` if there
 * are no values or the share is out of range. Hyndman & Fan 1996, "Sample Quantiles in Statistical Packages", type 7.
 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  const at = (sorted.length - 1) * share;
  const lower = sorted[Math.floor(at)];
  const upper = sorted[Math.ceil(at)];
  if (lower === undefined || upper === undefined) {
    throw new RangeError(`quantile needs at least one value and a share of 0 to 1, not ${values.length} and ${share}`);
  }
  return lower + (upper - lower) * (at - Math.floor(at));
}
