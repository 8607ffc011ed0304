import { SUBTYPES, type Subtype } from '../../domain/passage.js';
import type { Connection } from '../connection/connection.js';
import { IntColumn } from './int-column.js';

/** Passages read at a time: candidates are scattered, and a row read in order costs a fifth of one read alone. */
const BLOCK = 256;

interface Row {
  readonly number: number;
  readonly length: number;
  readonly subtype: Subtype;
}

/**
 * Length and subtype of passages, cached forever: a number is never reused, and its passage's text never changes.
 * SQLite would take two milliseconds to read those of one search.
 */
export class PassageFeatures {
  readonly #connection: Connection;
  readonly #lengths = new IntColumn();
  readonly #subtypes = new IntColumn();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Reads the passages that are not cached yet. */
  load(passages: readonly number[]): void {
    const sql = `SELECT number, length, subtype FROM passages WHERE number BETWEEN ? AND ?`;
    const select = this.#connection.cached<[number, number], Row>(sql);
    for (const block of this.#lengths.unknownBlocks(passages, BLOCK)) {
      for (const { number, length, subtype } of select.all(...block)) {
        this.#lengths.set(number, length);
        this.#subtypes.set(number, SUBTYPES.indexOf(subtype));
      }
    }
  }

  /** Characters of the readable text. */
  characters(passage: number): number {
    return this.#lengths.get(passage);
  }

  subtype(passage: number): Subtype {
    return SUBTYPES[this.#subtypes.get(passage)] ?? 'paragraph';
  }
}
