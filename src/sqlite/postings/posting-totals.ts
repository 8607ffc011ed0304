import type { Connection } from '../connection/connection.js';
import { decodeVarints } from './varints.js';

/** The number of passages with postings, and of all their terms. */
export interface Totals {
  readonly passages: number;
  readonly terms: number;
}

/** The terms of a passage by field, as varints. A damaged row may have none, or another type. */
const SIZE = `CAST(coalesce(sz, '') AS BLOB)`;

/**
 * The totals that BM25 needs. FTS5 keeps its own, but does not lower them when a row of a contentless table is deleted
 * or replaced (3.53 still does not), so that every edit would raise the weight of every term.
 */
export class PostingTotals {
  readonly #connection: Connection;
  readonly #bot: number;
  readonly #table: string;

  constructor(connection: Connection, { bot, table }: { bot: number; table: string }) {
    this.#connection = connection;
    this.#bot = bot;
    this.#table = table;
  }

  /** Adds to the totals; call it in the transaction that changes the postings. */
  add({ passages, terms }: Totals): void {
    this.#connection
      .cached<[number, number, number]>(
        `INSERT INTO posting_totals (bot, passages, terms) VALUES (?, ?, ?)
         ON CONFLICT (bot) DO UPDATE SET passages = passages + excluded.passages, terms = terms + excluded.terms`,
      )
      .run(this.#bot, passages, terms);
  }

  get(): Totals {
    const sql = `SELECT passages, terms FROM posting_totals WHERE bot = ?`;
    return this.#connection.cached<[number], Totals>(sql).get(this.#bot) ?? { passages: 0, terms: 0 };
  }

  /** The number of terms of a passage; undefined if it has no postings. */
  termsOf(passage: number): number | undefined {
    const sql = `SELECT ${SIZE} FROM ${this.#table}_docsize WHERE id = ?`;
    const size = this.#connection.cached<[number], Buffer>(sql).pluck().get(passage);
    return size && decodeVarints(size).reduce((sum, count) => sum + count, 0);
  }

  /** Whether totals are recorded: they are not for a new table, nor for one of an earlier version. */
  areCounted(): boolean {
    const sql = `SELECT 1 FROM posting_totals WHERE bot = ?`;
    return this.#connection.prepare<[number]>(sql).get(this.#bot) !== undefined;
  }

  /** Replaces the totals with a new count of the rows. Needs a transaction. */
  recount(): void {
    this.#connection.prepare<[number]>(`DELETE FROM posting_totals WHERE bot = ?`).run(this.#bot);
    this.add(this.count());
  }

  /** Counts the rows, whatever is recorded. Throws SQLite's error for an unreadable table. */
  count(): Totals {
    const sizes = this.#connection.prepare<[], Buffer>(`SELECT ${SIZE} FROM ${this.#table}_docsize`).pluck();
    let [passages, terms] = [0, 0];
    for (const size of sizes.iterate()) {
      passages++;
      for (const count of decodeVarints(size)) terms += count;
    }
    return { passages, terms };
  }
}
