import { createHash } from 'node:crypto';
import { damagedPart, summedFile } from '../connection/checksums.js';
import type { Database } from '../connection/database.js';
import { prepared } from '../connection/prepared.js';
import { stateOf } from '../connection/state.js';

/** Characters that are kept at most: those of the files that one search shows, and of some more. */
const MOST_KEPT = 4_000_000;

/** The texts of files, those read last kept: a search reads each for its match and again for what stands around it. */
export class Texts {
  readonly #database: Database;
  readonly #texts = new Map<number, string>();
  #kept = 0;
  #state = '';

  constructor(database: Database) {
    this.#database = database;
  }

  /** Empty where the file is gone. Throws `DATABASE_DAMAGED` for a text, or a file's row, that is not as it was written. */
  of(file: number): string {
    const state = stateOf(this.#database);
    if (state !== this.#state || this.#kept > MOST_KEPT) {
      this.#texts.clear();
      this.#kept = 0;
    }
    this.#state = state;
    const known = this.#texts.get(file);
    if (known !== undefined) return known;
    const text = this.#read(file);
    this.#texts.set(file, text);
    this.#kept += text.length;
    return text;
  }

  #read(file: number): string {
    const row = prepared<[number], { key: string; hash: string; checksum: number | null; text: string | null }>(
      this.#database,
      `SELECT key, hash, checksum, text FROM files LEFT JOIN texts ON file = number WHERE number = ?`,
    ).get(file);
    if (!row) return '';
    if (row.checksum !== null && row.checksum !== summedFile(this.#database, file)) {
      throw damagedPart(`What is kept of the file ${row.key}`);
    }
    if (row.text === null || !isText(row.text, row.hash)) throw damagedPart(`The text of ${row.key}`);
    return row.text;
  }
}

/** Whether a text is the one whose bytes have the SHA-256. */
export function isText(text: string, hash: string): boolean {
  return createHash('sha256').update(text).digest('hex') === hash;
}
