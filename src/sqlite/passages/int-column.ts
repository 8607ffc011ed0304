const UNKNOWN = -1;

/** A cache of one non-negative integer per passage number, filled in blocks; four bytes each. */
export class IntColumn {
  #values = new Int32Array(1024).fill(UNKNOWN);

  /** 0 if it was not set. */
  get(passage: number): number {
    return Math.max(0, this.#values[passage] ?? 0);
  }

  set(passage: number, value: number): void {
    if (passage >= this.#values.length) this.#grow(passage);
    this.#values[passage] = value;
  }

  forget(passage: number): void {
    if (passage < this.#values.length) this.#values[passage] = UNKNOWN;
  }

  clear(): void {
    this.#values.fill(UNKNOWN);
  }

  /**
   * The first and last number of each block of `size` numbers in which a passage has no value. Reading a block in order
   * costs little more than reading a single row.
   */
  unknownBlocks(passages: ArrayLike<number>, size: number): [first: number, last: number][] {
    const values = this.#values;
    const blocks = new Set<number>();
    for (let i = 0; i < passages.length; i++) {
      const passage = passages[i] as number;
      if (passage >= values.length || values[passage] === UNKNOWN) blocks.add(Math.floor(passage / size));
    }
    return Array.from(blocks, (block) => [block * size, (block + 1) * size - 1]);
  }

  #grow(passage: number): void {
    const values = new Int32Array(Math.max(2 * this.#values.length, passage + 1)).fill(UNKNOWN);
    values.set(this.#values);
    this.#values = values;
  }
}
