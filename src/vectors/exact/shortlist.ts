import { Cutoff } from './cutoff.js';

const FIRST_ROOM = 8192;

/** Rows as a scan finds them, block by block: `count` of each, their slots from `first` on. */
export interface Block {
  readonly first: number;
  readonly count: number;
  readonly slots: Uint32Array;
  /** The exact score is no less than this, but for the margin. */
  readonly least: Float32Array;
  /** The exact score is no more than this, but for the margin. */
  readonly most: Float32Array;
}

/** Rows that may be among the `limit` nearest by their exact scores, going by bounds of them. */
export class Shortlist {
  readonly #cutoff: Cutoff;
  readonly #margin: number;
  #slots = new Uint32Array(FIRST_ROOM);
  #least = new Float32Array(FIRST_ROOM);
  #most = new Float32Array(FIRST_ROOM);
  #length = 0;

  constructor(options: { readonly limit: number; readonly margin: number }) {
    this.#cutoff = new Cutoff(options.limit);
    this.#margin = options.margin;
  }

  /** A row whose `most` is less than this is worse than `limit` others. It rises with each block. */
  get threshold(): number {
    return this.#cutoff.least - 2 * this.#margin;
  }

  push({ first, count, slots, least, most }: Block): void {
    while (this.#length + count > this.#slots.length) this.#grow();
    this.#least.set(least.subarray(0, count), this.#length);
    this.#most.set(most.subarray(0, count), this.#length);
    for (let i = 0; i < count; i++) {
      this.#slots[this.#length++] = first + (slots[i] as number);
      this.#cutoff.count(least[i] as number);
    }
  }

  /** Slots of the `limit` rows, or some more, that are the best by their least: their scores are what to reach. */
  surest(): Uint32Array {
    return this.#where({ from: this.#cutoff.least, to: Number.POSITIVE_INFINITY, most: Number.NEGATIVE_INFINITY });
  }

  /** Slots of the other rows whose exact score may be as great as `score`. */
  reaching(score: number): Uint32Array {
    return this.#where({ from: Number.NEGATIVE_INFINITY, to: this.#cutoff.least, most: score - this.#margin });
  }

  #where(bounds: { from: number; to: number; most: number }): Uint32Array {
    const slots = new Uint32Array(this.#length);
    let count = 0;
    for (let i = 0; i < this.#length; i++) {
      const least = this.#least[i] as number;
      if (least < bounds.from || least >= bounds.to || (this.#most[i] as number) < bounds.most) continue;
      slots[count++] = this.#slots[i] as number;
    }
    return slots.subarray(0, count);
  }

  #grow(): void {
    const [slots, least, most] = [this.#slots, this.#least, this.#most];
    this.#slots = new Uint32Array(2 * slots.length);
    this.#least = new Float32Array(2 * slots.length);
    this.#most = new Float32Array(2 * slots.length);
    this.#slots.set(slots);
    this.#least.set(least);
    this.#most.set(most);
  }
}
