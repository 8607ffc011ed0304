import type { Database } from '../connection/database.js';
import { prepared } from '../connection/prepared.js';
import { Column } from '../passages/column.js';
import { varints } from './varints.js';

/** Passages that are read together: a term's lie all over, and one in order costs a hundredth of one by itself. */
const BLOCK = 4096;

/** Lengths of passages in terms, as FTS5 keeps them. */
export class PassageLengths {
  readonly #database: Database;
  readonly #select: string;
  readonly #lengths = new Column();

  constructor(database: Database, table: string) {
    this.#database = database;
    // Of each passage two numbers, those of its breadcrumb and of its text, one behind the other.
    this.#select = `SELECT json_group_array(id), CAST(group_concat(sz, '') AS BLOB) FROM ${table}_docsize
      WHERE id BETWEEN ? AND ?`;
  }

  /** To be called when a passage's postings change. */
  forget(passage: number): void {
    this.#lengths.forget(passage);
  }

  /** To be called when somebody else may have changed any. */
  clear(): void {
    this.#lengths.clear();
  }

  /** In the order of the passages; 0 for one that has no postings. */
  of(passages: readonly number[]): number[] {
    for (const block of this.#lengths.unknownBlocks(passages, BLOCK)) this.#read(block);
    return passages.map((passage) => this.#lengths.get(passage));
  }

  #read(block: [first: number, last: number]): void {
    const select = prepared<[number, number], [string, Buffer | null]>(this.#database, this.#select).raw();
    const [passages, sizes] = select.get(...block) ?? ['[]', null];
    const lengths = varints(sizes ?? Buffer.alloc(0));
    for (const [i, passage] of (JSON.parse(passages) as number[]).entries()) {
      this.#lengths.set(passage, (lengths[2 * i] ?? 0) + (lengths[2 * i + 1] ?? 0));
    }
  }
}
