import { IdTable } from '../../vectors/exact/id-table.js';

/** A cache of one non-negative integer per passage number, filled in blocks; four bytes each. */
export class IntColumn {
  readonly #values = new IdTable();

  /** The value of a passage; 0 if it was not set. */
  get(passage: number): number {
    return Math.max(0, this.#values.get(passage));
  }

  set(passage: number, value: number): void {
    this.#values.set(passage, value);
  }

  forget(passage: number): void {
    this.#values.delete(passage);
  }

  clear(): void {
    this.#values.clear();
  }

  /**
   * The first and last number of each block of `size` numbers in which a passage has no value. Reading a block in order
   * costs little more than reading a single row.
   */
  unknownBlocks(passages: ArrayLike<number>, size: number): [first: number, last: number][] {
    const blocks = new Set<number>();
    for (let i = 0; i < passages.length; i++) {
      const passage = passages[i] as number;
      if (this.#values.get(passage) < 0) blocks.add(Math.floor(passage / size));
    }
    return Array.from(blocks, (block) => [block * size, (block + 1) * size - 1]);
  }
}
