import type { Database } from './database.js';
import { prepared } from './prepared.js';
import { varints } from './varints.js';

/** Not known yet. */
const UNKNOWN = -1;

/** Passages that are read together: a term's lie all over, and one in order costs a hundredth of one by itself. */
const BLOCK = 4096;

/** Lengths of passages in terms, as FTS5 keeps them; four bytes each, remembered once they were read. */
export class PassageLengths {
  readonly #database: Database;
  readonly #select: string;
  #lengths = new Int32Array(1024).fill(UNKNOWN);

  constructor(database: Database, table: string) {
    this.#database = database;
    // Of each passage two numbers, those of its breadcrumb and of its text, one behind the other.
    this.#select = `SELECT json_group_array(id), CAST(group_concat(sz, '') AS BLOB) FROM ${table}_docsize
      WHERE id BETWEEN ? AND ?`;
  }

  /** To be called when a passage's postings change. */
  forget(passage: number): void {
    if (passage < this.#lengths.length) this.#lengths[passage] = UNKNOWN;
  }

  /** To be called when somebody else may have changed any. */
  clear(): void {
    this.#lengths.fill(UNKNOWN);
  }

  /** In the order of the passages; 0 for one that has no postings. */
  of(passages: readonly number[]): number[] {
    const unknown = passages.filter((passage) => (this.#lengths[passage] ?? UNKNOWN) === UNKNOWN);
    for (const block of new Set(unknown.map((passage) => Math.floor(passage / BLOCK)))) this.#read(block);
    return passages.map((passage) => Math.max(0, this.#lengths[passage] ?? 0));
  }

  #read(block: number): void {
    const select = prepared<[number, number], [string, Buffer | null]>(this.#database, this.#select).raw();
    const [passages, sizes] = select.get(block * BLOCK, (block + 1) * BLOCK - 1) ?? ['[]', null];
    const lengths = varints(sizes ?? Buffer.alloc(0));
    for (const [i, passage] of (JSON.parse(passages) as number[]).entries()) {
      if (passage >= this.#lengths.length) this.#grow(passage);
      this.#lengths[passage] = (lengths[2 * i] ?? 0) + (lengths[2 * i + 1] ?? 0);
    }
  }

  #grow(passage: number): void {
    const lengths = new Int32Array(Math.max(2 * this.#lengths.length, passage + 1)).fill(UNKNOWN);
    lengths.set(this.#lengths);
    this.#lengths = lengths;
  }
}
