import { SUBTYPES, type Subtype } from '../../domain/passage.js';
import type { Connection } from '../connection/connection.js';
import { IntColumn } from './int-column.js';

/** Passages read together: candidates lie far apart, and a row in order costs a fifth of one by itself. */
const BLOCK = 256;

interface Row {
  readonly number: number;
  readonly length: number;
  readonly subtype: Subtype;
}

/**
 * Length and subtype of passages, kept once they were read: a number is never used twice, and a passage's text never
 * changes. SQLite would take two milliseconds to read those of one search.
 */
export class PassageFeatures {
  readonly #connection: Connection;
  readonly #lengths = new IntColumn();
  readonly #subtypes = new IntColumn();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Reads what is not known yet of some passages. */
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
