/** Elements are summed as whole multiples of 2⁻²⁴, float32's precision below 1, so that the order does not matter. */
const UNITS = 2 ** 24;

/** A float64 of this magnitude has no fraction bits: adding and subtracting it rounds, faster than Math.round. */
const ROUNDING = 1.5 * 2 ** 52;

/** The running mean of vectors that are added and removed; the same bits in whatever order that happens. */
export class Mean {
  readonly #sums: Float64Array;

  constructor(dimensions: number) {
    this.#sums = new Float64Array(dimensions);
  }

  add(vector: Float32Array): void {
    const sums = this.#sums;
    for (let i = 0; i < vector.length; i++) sums[i] = (sums[i] as number) + units(vector[i] as number);
  }

  /** Removes a vector that was added. */
  remove(vector: Float32Array): void {
    const sums = this.#sums;
    for (let i = 0; i < vector.length; i++) sums[i] = (sums[i] as number) - units(vector[i] as number);
  }

  /** The dot product of `vector` with the mean of the `count` vectors held; 0 if there are none. */
  dot(vector: Float32Array, count: number): number {
    if (count === 0) return 0;
    const sums = this.#sums;
    let sum = 0;
    for (let i = 0; i < vector.length; i++) sum += (vector[i] as number) * (sums[i] as number);
    return sum / (UNITS * count);
  }
}

function units(element: number): number {
  return element * UNITS + ROUNDING - ROUNDING;
}
