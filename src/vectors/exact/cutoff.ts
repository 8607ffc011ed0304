/** Scores are counted in bins of this width: a power of 2, so that a score's bin is exact. */
const BINS_PER_UNIT = 2048;

/** From -1 up: what lies below is not counted, and what lies above is counted in the last bin. */
const BINS = 2 * BINS_PER_UNIT;

/**
 * A bound of the score that the `limit` best of many reach, which rises as scores are counted: never above the
 * limit-th best of them, and at most 1/2048 below it, for cosines. Counting takes a few nanoseconds, whatever the
 * limit.
 */
export class Cutoff {
  readonly #limit: number;
  readonly #counts = new Uint32Array(BINS);
  #bin = 0;
  /** Scores counted in `#bin` and above. */
  #above = 0;
  /** So many scores as the limit are this or greater; -Infinity as long as there are fewer. */
  least = Number.NEGATIVE_INFINITY;

  constructor(limit: number) {
    this.#limit = limit;
  }

  count(score: number): void {
    const bin = Math.min(Math.floor(score * BINS_PER_UNIT) + BINS_PER_UNIT, BINS - 1);
    // Not to count a score leaves the bound lower than it could be, and right.
    if (bin < this.#bin) return;
    this.#counts[bin] = (this.#counts[bin] as number) + 1;
    if (++this.#above < this.#limit) return;
    for (;;) {
      const fewer = this.#above - (this.#counts[this.#bin] as number);
      if (fewer < this.#limit) break;
      this.#above = fewer;
      this.#bin++;
    }
    this.least = this.#bin / BINS_PER_UNIT - 1;
  }
}
