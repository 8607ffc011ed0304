import { quantile } from './quantile.js';

export interface Interval {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

export interface BootstrapOptions {
  /** 1,000 to 10,000; 2,000 unless given. */
  readonly resamples?: number;
  /** Share of resamples within the interval; 0.95 unless given. */
  readonly confidence?: number;
  readonly seed?: number;
}

/**
 * A mean with its percentile bootstrap interval: as many values are drawn with replacement, again and again, and the
 * interval holds the middle of their means. The same seed gives the same interval. Throws `RangeError` for no values.
 * Efron 1979, "Bootstrap Methods: Another Look at the Jackknife", Annals of Statistics 7(1).
 */
export function bootstrapMean(values: readonly number[], options: BootstrapOptions = {}): Interval {
  const { resamples = 2000, confidence = 0.95, seed = 1 } = options;
  if (values.length === 0) throw new RangeError('a mean needs a value');
  const random = mulberry32(seed);
  const means = Array.from({ length: resamples }, () => {
    let sum = 0;
    for (let i = 0; i < values.length; i++) sum += values[Math.floor(random() * values.length)] ?? 0;
    return sum / values.length;
  });
  const outside = (1 - confidence) / 2;
  return {
    mean: values.reduce((sum, value) => sum + value, 0) / values.length,
    low: quantile(means, outside),
    high: quantile(means, 1 - outside),
  };
}

/**
 * The mean of after - before over the same queries in the same order: queries are drawn with both their values, so that
 * what makes a query hard for both does not widen the interval. Above 0 throughout, `after` is better. Sakai 2006,
 * "Evaluating evaluation metrics based on the bootstrap", SIGIR.
 */
export function bootstrapDifference(
  { before, after }: { readonly before: readonly number[]; readonly after: readonly number[] },
  options?: BootstrapOptions,
): Interval {
  if (before.length !== after.length) throw new RangeError('a paired difference needs a pair for every query');
  return bootstrapMean(
    after.map((value, i) => value - (before[i] ?? 0)),
    options,
  );
}

/** Tommy Ettinger's generator of 32 bits, public domain: numbers in [0, 1). */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}
