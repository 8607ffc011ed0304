import type { Database } from './database.js';
import { prepared } from './prepared.js';
import { stateOf } from './state.js';

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

  of(file: number): string {
    const state = stateOf(this.#database);
    if (state !== this.#state || this.#kept > MOST_KEPT) {
      this.#texts.clear();
      this.#kept = 0;
    }
    this.#state = state;
    const known = this.#texts.get(file);
    if (known !== undefined) return known;
    const row = prepared<[number], { text: string }>(this.#database, `SELECT text FROM texts WHERE file = ?`).get(file);
    const text = row?.text ?? '';
    this.#texts.set(file, text);
    this.#kept += text.length;
    return text;
  }
}
