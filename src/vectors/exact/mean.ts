/** Elements are summed in whole multiples of 2⁻²⁴, the precision of float32 below 1: so in whatever order, the sum is the same. */
const UNITS = 2 ** 24;

/** A float64 of this magnitude has no room for a fraction: adding it and taking it away rounds, and faster than Math.round. */
const ROUNDING = 1.5 * 2 ** 52;

/** The mean of vectors that come and go. */
export class Mean {
  readonly #sums: Float64Array;

  constructor(dimensions: number) {
    this.#sums = new Float64Array(dimensions);
  }

  add(vector: Float32Array): void {
    const sums = this.#sums;
    for (let i = 0; i < vector.length; i++) sums[i] = (sums[i] as number) + units(vector[i] as number);
  }

  remove(vector: Float32Array): void {
    const sums = this.#sums;
    for (let i = 0; i < vector.length; i++) sums[i] = (sums[i] as number) - units(vector[i] as number);
  }

  /** Dot product of a vector and the mean of `count`; 0 for none. */
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
