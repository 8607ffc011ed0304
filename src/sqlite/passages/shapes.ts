import { SUBTYPES, type Subtype } from '../../domain/passage.js';
import type { PassageShapes } from '../../storage/passage-store.js';
import type { Database } from '../connection/database.js';
import { prepared } from '../connection/prepared.js';
import { Column } from './column.js';

/** Passages that are read together: candidates lie all over, and a row in order costs a fifth of one by itself. */
const BLOCK = 256;

interface Row {
  readonly number: number;
  readonly length: number;
  readonly subtype: Subtype;
}

/**
 * Lengths and subtypes by passage number, kept once they were read: a number is never used twice, and its text never
 * changes. SQLite takes two milliseconds for those of one search.
 */
export class Shapes {
  readonly #database: Database;
  readonly #lengths = new Column();
  readonly #subtypes = new Column();

  constructor(database: Database) {
    this.#database = database;
  }

  of(numbers: readonly number[]): PassageShapes {
    const select = prepared<[number, number], Row>(
      this.#database,
      `SELECT number, length, subtype FROM passages WHERE number BETWEEN ? AND ?`,
    );
    for (const block of this.#lengths.unknownBlocks(numbers, BLOCK)) {
      for (const { number, length, subtype } of select.all(...block)) {
        this.#lengths.set(number, length);
        this.#subtypes.set(number, SUBTYPES.indexOf(subtype));
      }
    }
    return {
      lengths: Int32Array.from(numbers, (number) => this.#lengths.get(number)),
      subtypes: numbers.map((number) => SUBTYPES[this.#subtypes.get(number)] ?? 'paragraph'),
    };
  }
}
