import { SUBTYPES, type Subtype } from '../passage.js';
import type { PassageShapes } from '../passage-store.js';
import type { Database } from './database.js';
import { prepared } from './prepared.js';

/** Lengths that are not known yet. */
const UNKNOWN = -1;

/** Passages that are read together: candidates lie all over, and a row in order costs a fifth of one by itself. */
const BLOCK = 256;

interface Row {
  readonly number: number;
  readonly length: number;
  readonly subtype: Subtype;
}

/**
 * Lengths and subtypes by passage number, kept once they were read: a number is never used twice, and its text never
 * changes. Five bytes a passage; SQLite takes two milliseconds for those of one search.
 */
export class Shapes {
  readonly #database: Database;
  #lengths = new Int32Array(1024).fill(UNKNOWN);
  #subtypes = new Uint8Array(1024);

  constructor(database: Database) {
    this.#database = database;
  }

  of(numbers: readonly number[]): PassageShapes {
    this.#read(numbers.filter((number) => (this.#lengths[number] ?? UNKNOWN) === UNKNOWN));
    return {
      lengths: Int32Array.from(numbers, (number) => Math.max(0, this.#lengths[number] ?? 0)),
      subtypes: numbers.map((number) => SUBTYPES[this.#subtypes[number] ?? 0] ?? 'paragraph'),
    };
  }

  #read(numbers: readonly number[]): void {
    const select = prepared<[number, number], Row>(
      this.#database,
      `SELECT number, length, subtype FROM passages WHERE number BETWEEN ? AND ?`,
    );
    for (const block of new Set(numbers.map((number) => Math.floor(number / BLOCK)))) {
      for (const { number, length, subtype } of select.all(block * BLOCK, (block + 1) * BLOCK - 1)) {
        if (number >= this.#lengths.length) this.#grow(number);
        this.#lengths[number] = length;
        this.#subtypes[number] = SUBTYPES.indexOf(subtype);
      }
    }
  }

  #grow(number: number): void {
    const size = Math.max(2 * this.#lengths.length, number + 1);
    const [lengths, subtypes] = [new Int32Array(size).fill(UNKNOWN), new Uint8Array(size)];
    lengths.set(this.#lengths);
    subtypes.set(this.#subtypes);
    this.#lengths = lengths;
    this.#subtypes = subtypes;
  }
}
