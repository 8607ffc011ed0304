import { quantile } from './quantile.js';

/** A mean with the bounds of its confidence interval. */
export interface Interval {
  /** The mean of the sample. */
  readonly mean: number;
  /** The lower bound. */
  readonly low: number;
  /** The upper bound. */
  readonly high: number;
}

/** How a bootstrap interval is estimated. */
export interface BootstrapOptions {
  /** Samples drawn with replacement. Defaults to 2,000. */
  readonly resamples?: number;
  /** Confidence level, 0..1. Defaults to 0.95. */
  readonly confidence?: number;
  /** Seed of the random generator. Defaults to 1; the same seed gives the same interval. */
  readonly seed?: number;
}

/**
 * Mean of the values with its percentile bootstrap interval. Throws `RangeError` if there are no values. Efron 1979,
 * "Bootstrap Methods: Another Look at the Jackknife", Annals of Statistics 7(1).
 */
export function bootstrapMean(values: readonly number[], options: BootstrapOptions = {}): Interval {
  const { resamples = 2000, confidence = 0.95, seed = 1 } = options;
  if (values.length === 0) throw new RangeError('bootstrapMean needs at least one value');
  const random = mulberry32(seed);
  const means = Array.from({ length: resamples }, () => {
    let sum = 0;
    for (let i = 0; i < values.length; i++) sum += values[Math.floor(random() * values.length)] ?? 0;
    return sum / values.length;
  });
  const tail = (1 - confidence) / 2;
  return {
    mean: values.reduce((sum, value) => sum + value, 0) / values.length,
    low: quantile(means, tail),
    high: quantile(means, 1 - tail),
  };
}

/**
 * Mean of `after[i] - before[i]` with its interval, for the same queries in the same order. Resampling keeps each pair
 * together, so the difficulty of a query, which both runs share, does not widen the interval. Throws `RangeError` if
 * the lengths differ or are 0. Sakai 2006, "Evaluating evaluation metrics based on the bootstrap", SIGIR.
 */
export function bootstrapDifference(
  { before, after }: { readonly before: readonly number[]; readonly after: readonly number[] },
  options?: BootstrapOptions,
): Interval {
  if (before.length !== after.length) {
    throw new RangeError(`bootstrapDifference needs pairs, not ${before.length} and ${after.length} values`);
  }
  return bootstrapMean(
    after.map((value, i) => value - (before[i] ?? 0)),
    options,
  );
}

/** Random numbers in [0, 1), the same for each seed. Tommy Ettinger's 32-bit generator, public domain. */
export function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}
