/** Sums of products with int8 must fit 32 bits: |sum| ≤ dimensions · 127 · the query's largest integer. */
const MAXIMUM_SUM = 2 ** 31 - 1;

/** Vectors have length 1 to within a thousandth (`checkEmbedding`). */
const MAXIMUM_LENGTH = 1.001;

/** How to read a query quantised to int16, and how far its scores may be off. */
export interface Int8Query {
  /** An element is its int16 times this float32. */
  readonly factor: number;
  /** `weight` times a row's error, plus `margin`, bounds |score by integers − score by float32|. */
  readonly weight: number;
  readonly margin: number;
}

/**
 * Quantises the query into `to`, whose length is a multiple of 16; elements beyond the query's length must be 0.
 *
 * The bound: let x̂ and ŷ be the vectors that the integers of row x and query y represent. By Cauchy-Schwarz
 *
 *     |x·y − x̂·ŷ| = |(x − x̂)·ŷ + x·(y − ŷ)| ≤ ‖x − x̂‖ ‖ŷ‖ + ‖x‖ ‖y − ŷ‖
 *
 * ‖x − x̂‖ is the row's error. Both scores are rounded. A float32 sum of n products, 16 at a time, is within
 * (n / 16 + 5) u ‖x‖ ‖y‖ of x·y with u = 2⁻²⁴ (Higham, Accuracy and Stability of Numerical Algorithms, 3.1). The sum
 * of integers is exact, but is rounded to float32, multiplied twice and added to its bound, for which 32 u is ample.
 */
export function quantiseQuery(query: Float32Array, to: Int16Array): Int8Query {
  let largest = 0;
  for (let i = 0; i < query.length; i++) largest = Math.max(largest, Math.abs(query[i] as number));
  const factor = Math.fround(largest / Math.min(32_767, Math.floor(MAXIMUM_SUM / (127 * to.length))));
  let [kept, lost] = [0, 0];
  for (let i = 0; i < query.length; i++) {
    const integer = Math.round((query[i] as number) / factor);
    to[i] = integer;
    kept += (factor * integer) ** 2;
    lost += ((query[i] as number) - factor * integer) ** 2;
  }
  const rounding = (to.length / 16 + 32) * 2 ** -24;
  return { factor, weight: Math.sqrt(kept), margin: MAXIMUM_LENGTH * Math.sqrt(lost) + rounding };
}
