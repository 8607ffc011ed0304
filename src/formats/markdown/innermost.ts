import type { Range } from '../range.js';

/** Finds the innermost of ranges that are in each other or apart. Ask for ascending offsets. */
export class Innermost {
  /** The next range is the last. */
  readonly #next: Range[];
  readonly #open: Range[] = [];

  constructor(ranges: readonly Range[]) {
    this.#next = [...ranges].sort((a, b) => b.start - a.start || a.end - b.end);
  }

  /** The innermost range that an offset is in; undefined if it is in none. */
  at(offset: number): Range | undefined {
    for (let next = this.#next.at(-1); next && next.start <= offset; next = this.#next.at(-1)) {
      this.#open.push(next);
      this.#next.pop();
    }
    while ((this.#open.at(-1)?.end ?? Number.POSITIVE_INFINITY) <= offset) this.#open.pop();
    return this.#open.at(-1);
  }
}
