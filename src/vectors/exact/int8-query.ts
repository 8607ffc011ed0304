/** Sums of products with int8 must fit 32 bits, whatever the elements: |sum| ≤ dimensions · 127 · the greatest here. */
const MAXIMUM_SUM = 2 ** 31 - 1;

/** Lengths of vectors are 1 to within a thousandth (`checkEmbedding`). */
const MAXIMUM_LENGTH = 1.001;

/** What a query in int16 means, and how far its products with int8 rows may lie off. */
export interface Int8Query {
  /** An element is its int16 times this, a float32. */
  readonly factor: number;
  /** A row's error times this, and `margin` more, bound |score by integers − score by float32|. */
  readonly weight: number;
  readonly margin: number;
}

/**
 * Writes the query as int16, as many as `to` has (a multiple of 16), zeros behind its own.
 *
 * The bound: let x̂, ŷ be what the integers stand for, of the row x and the query y. By Cauchy and Schwarz
 *
 *     |x·y − x̂·ŷ| = |(x − x̂)·ŷ + x·(y − ŷ)| ≤ ‖x − x̂‖ ‖ŷ‖ + ‖x‖ ‖y − ŷ‖
 *
 * ‖x − x̂‖ is the row's error. Both scores come rounded: a float32 sum of n products, 16 at a time, is within
 * (n / 16 + 5) u ‖x‖ ‖y‖ of x·y, u = 2⁻²⁴ (Higham, Accuracy and Stability of Numerical Algorithms, 3.1), and the sum
 * of integers is exact, but rounded when it is made a float32, multiplied twice, and its bound added: 32 u is more than
 * all of that.
 */
export function quantiseQuery(query: Float32Array, to: Int16Array): Int8Query {
  let most = 0;
  for (let i = 0; i < query.length; i++) most = Math.max(most, Math.abs(query[i] as number));
  const factor = Math.fround(most / Math.min(32_767, Math.floor(MAXIMUM_SUM / (127 * to.length))));
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
