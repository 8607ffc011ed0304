import type { Connection } from '../connection/connection.js';
import { IntColumn } from '../passages/int-column.js';
import { decodeVarints } from './varints.js';

/**
 * Passages read at a time: those of a posting list are scattered, and a row read in order costs a hundredth of one read
 * alone.
 */
const BLOCK = 4096;

/** The number of terms in each passage, as FTS5 records it; cached. */
export class TermCounts {
  readonly #connection: Connection;
  readonly #select: string;
  readonly #counts = new IntColumn();

  constructor(connection: Connection, table: string) {
    this.#connection = connection;
    // For each passage two varints, the terms of its breadcrumb and of its text, one passage after the other.
    this.#select = `SELECT json_group_array(id), CAST(group_concat(sz, '') AS BLOB) FROM ${table}_docsize
      WHERE id BETWEEN ? AND ?`;
  }

  /** Call it when the postings of a passage change. */
  forget(passage: number): void {
    this.#counts.forget(passage);
  }

  /** Call it when another connection may have changed postings. */
  clear(): void {
    this.#counts.clear();
  }

  /** Reads the passages that are not cached yet. */
  load(passages: ArrayLike<number>): void {
    const select = this.#connection.cached<[number, number], [string, Buffer | null]>(this.#select).raw();
    for (const block of this.#counts.unknownBlocks(passages, BLOCK)) {
      const [numbers, sizes] = select.get(...block) ?? ['[]', null];
      const counts = decodeVarints(sizes ?? Buffer.alloc(0));
      for (const [i, passage] of (JSON.parse(numbers) as number[]).entries()) {
        this.#counts.set(passage, (counts[2 * i] ?? 0) + (counts[2 * i + 1] ?? 0));
      }
    }
  }

  /** The terms of a loaded passage; 0 for one without postings. */
  get(passage: number): number {
    return this.#counts.get(passage);
  }
}
