/** Not known yet. */
const UNKNOWN = -1;

/** A whole number from 0 on of each passage, by the passage's number; four bytes each, remembered once it was read. */
export class Column {
  #values = new Int32Array(1024).fill(UNKNOWN);

  /** 0 for one that is not known. */
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

  /** The blocks of so many passages, first to last, in which those that are not known lie: one by itself costs as much as many in order. */
  *unknownBlocks(passages: readonly number[], size: number): Generator<[first: number, last: number]> {
    const unknown = passages.filter((passage) => (this.#values[passage] ?? UNKNOWN) === UNKNOWN);
    for (const block of new Set(unknown.map((passage) => Math.floor(passage / size)))) {
      yield [block * size, (block + 1) * size - 1];
    }
  }

  #grow(passage: number): void {
    const values = new Int32Array(Math.max(2 * this.#values.length, passage + 1)).fill(UNKNOWN);
    values.set(this.#values);
    this.#values = values;
  }
}
