import type { Database } from './database.js';
import { prepared } from './prepared.js';

/** The passages in which a term stands, ascending, and what it adds to the score of each. */
export interface TermList {
  readonly passages: Uint32Array;
  readonly scores: Float64Array;
}

/** Postings that are kept at most, 12 bytes each. */
const MOST_KEPT = 2_000_000;

/** Terms whose frequency is kept at most. */
const MOST_COUNTED = 50_000;

/** What scores are multiplied by to become integers, exact to 1e-11: SQLite writes those out four times as fast. */
const UNIT = 2 ** 36;

/**
 * The lists of the terms that were asked last. BM25 is a sum over terms, so scores are put together from them: FTS5 takes
 * half a microsecond for the score of one posting, a list that is here a fiftieth of that. A term's weight depends on how
 * many passages there are, so any change to the postings makes all lists old.
 */
export class TermLists {
  readonly #database: Database;
  readonly #list: string;
  readonly #count: string;
  /** In the order in which they were asked last. */
  readonly #lists = new Map<string, TermList>();
  readonly #frequencies = new Map<string, number>();
  #kept = 0;

  /** `score` is the SQL of a row's score; of a term's postings the first `most` are read and counted. */
  constructor(database: Database, { table, score, most }: { table: string; score: string; most: number }) {
    this.#database = database;
    const postings = `SELECT rowid AS passage, CAST(${score} * ${UNIT} AS INTEGER) AS units
      FROM ${table} WHERE ${table} MATCH ? ORDER BY rowid LIMIT ${most}`;
    // Two texts instead of a row a posting, which takes 1.7 times as long.
    this.#list = `SELECT json_group_array(passage), json_group_array(units) FROM (${postings})`;
    this.#count = `SELECT count(*) FROM (SELECT 1 FROM ${table} WHERE ${table} MATCH ? LIMIT ${most + 1})`;
  }

  /** To be called when the postings have changed. */
  clear(): void {
    this.#lists.clear();
    this.#frequencies.clear();
    this.#kept = 0;
  }

  /** In how many passages a term or phrase, as FTS5 writes it, stands: one more than are read where in more than those. */
  frequency(expression: string): number {
    const known = this.#frequencies.get(expression);
    if (known !== undefined) return known;
    const count = prepared<[string], [number]>(this.#database, this.#count).raw().get(expression)?.[0] ?? 0;
    if (this.#frequencies.size >= MOST_COUNTED) this.#frequencies.clear();
    this.#frequencies.set(expression, count);
    return count;
  }

  of(expression: string): TermList {
    const list = this.#lists.get(expression) ?? this.#read(expression);
    this.#lists.delete(expression);
    this.#lists.set(expression, list);
    for (const [oldest, { passages }] of this.#lists) {
      if (this.#kept <= MOST_KEPT || oldest === expression) break;
      this.#lists.delete(oldest);
      this.#kept -= passages.length;
    }
    return list;
  }

  #read(expression: string): TermList {
    const row = prepared<[string], [string, string]>(this.#database, this.#list).raw().get(expression);
    const [passages, units] = (row ?? ['[]', '[]']).map((text) => JSON.parse(text) as number[]) as [number[], number[]];
    this.#kept += passages.length;
    return { passages: Uint32Array.from(passages), scores: Float64Array.from(units, (each) => each / UNIT) };
  }
}
