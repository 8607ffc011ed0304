import { Cutoff } from './cutoff.js';

const INITIAL_CAPACITY = 8192;

/**
 * The rows that one call of the int8 kernel found, as parallel arrays of which the first `count` elements are valid.
 */
export interface Block {
  /** The slot that `slots` are relative to. */
  readonly first: number;
  readonly count: number;
  readonly slots: Uint32Array;
  /** Lower bounds of the exact scores, up to the margin. */
  readonly lower: Float32Array;
  /** Upper bounds of the exact scores, up to the margin. */
  readonly upper: Float32Array;
}

/** Rows that may be among the `limit` nearest by exact score, chosen by bounds of their scores. */
export class Shortlist {
  readonly #cutoff: Cutoff;
  readonly #margin: number;
  #slots = new Uint32Array(INITIAL_CAPACITY);
  #lower = new Float32Array(INITIAL_CAPACITY);
  #upper = new Float32Array(INITIAL_CAPACITY);
  #length = 0;

  /** `margin`: by how much an exact score may lie outside its bounds. */
  constructor(options: { readonly limit: number; readonly margin: number }) {
    this.#cutoff = new Cutoff(options.limit);
    this.#margin = options.margin;
  }

  /** A row with an upper bound below this is worse than `limit` others. Rises with each block. */
  get threshold(): number {
    return this.#cutoff.value - 2 * this.#margin;
  }

  push({ first, count, slots, lower, upper }: Block): void {
    while (this.#length + count > this.#slots.length) this.#grow();
    this.#lower.set(lower.subarray(0, count), this.#length);
    this.#upper.set(upper.subarray(0, count), this.#length);
    for (let i = 0; i < count; i++) {
      this.#slots[this.#length++] = first + (slots[i] as number);
      this.#cutoff.count(lower[i] as number);
    }
  }

  /** Slots of the `limit` rows with the best lower bounds, or a few more: they are scored first. */
  surest(): Uint32Array {
    return this.#select({ from: this.#cutoff.value, to: Number.POSITIVE_INFINITY, upper: Number.NEGATIVE_INFINITY });
  }

  /** Slots of the other rows, those not in `surest`, whose exact score may reach `score`. */
  reaching(score: number): Uint32Array {
    return this.#select({ from: Number.NEGATIVE_INFINITY, to: this.#cutoff.value, upper: score - this.#margin });
  }

  /** Slots of rows with a lower bound in [from, to) and an upper bound of at least `upper`. */
  #select(bounds: { from: number; to: number; upper: number }): Uint32Array {
    const slots = new Uint32Array(this.#length);
    let count = 0;
    for (let i = 0; i < this.#length; i++) {
      const lower = this.#lower[i] as number;
      if (lower < bounds.from || lower >= bounds.to || (this.#upper[i] as number) < bounds.upper) continue;
      slots[count++] = this.#slots[i] as number;
    }
    return slots.subarray(0, count);
  }

  #grow(): void {
    const [slots, lower, upper] = [this.#slots, this.#lower, this.#upper];
    this.#slots = new Uint32Array(2 * slots.length);
    this.#lower = new Float32Array(2 * slots.length);
    this.#upper = new Float32Array(2 * slots.length);
    this.#slots.set(slots);
    this.#lower.set(lower);
    this.#upper.set(upper);
  }
}
