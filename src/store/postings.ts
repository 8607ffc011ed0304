import type { Neighbour } from '../passage.js';
import type { LexicalQuery, Matching } from '../passage-store.js';
import type { Database, Statement } from './database.js';

/** How much more a term of the breadcrumb counts than one of the text; tuned, see ARCHITECTURE.md. */
const BREADCRUMB_WEIGHT = 2;

/** BM25's k1 in FTS5: a term scores at most its inverse document frequency times k1 + 1. */
const K1 = 1.2;

/** Postings that a query reads at most, rarest terms first: about 10 ms. */
const MOST_POSTINGS = 30_000;

/**
 * The lexical index of one bot: FTS5 over terms, contentless. The texts come analysed, with blanks between terms, so
 * everything else is part of a term; the porter stemmer makes one of `retry` and `retries`.
 */
export class Postings {
  readonly #database: Database;
  readonly #table: string;
  /** Prepared once: a large file has hundreds of passages. */
  #put: Statement<[number, string, string]> | undefined;

  constructor(database: Database, bot: number) {
    this.#database = database;
    this.#table = `postings_${bot}`;
    const exists = database.prepare(`SELECT 1 FROM sqlite_schema WHERE name = ?`).get(this.#table);
    if (exists) return;
    database.exec(
      `CREATE VIRTUAL TABLE IF NOT EXISTS ${this.#table} USING fts5(
         breadcrumb, text, content = '', contentless_delete = 1,
         tokenize = "porter unicode61 remove_diacritics 0 categories 'L* M* N* P* S* Co Cn'")`,
    );
  }

  put(passage: number, { breadcrumb, text }: { breadcrumb: string; text: string }): void {
    this.#put ??= this.#database.prepare(
      `INSERT OR REPLACE INTO ${this.#table} (rowid, breadcrumb, text) VALUES (?, ?, ?)`,
    );
    this.#put.run(passage, breadcrumb, text);
  }

  remove(passage: number): void {
    this.#database.prepare(`DELETE FROM ${this.#table} WHERE rowid = ?`).run(passage);
  }

  /** The best matches, of `only` where that is given, in ascending order. */
  matching(query: LexicalQuery, { limit, only }: { limit: number; only?: Uint32Array | undefined }): Matching {
    const { expression, ceiling } = this.#expression(query);
    if (expression === undefined) return { ceiling: 0, neighbours: [] };
    // The plus keeps SQLite from asking the index once a row.
    const among = only ? `AND +rowid IN (SELECT value FROM json_each(?))` : '';
    const neighbours = this.#database
      .prepare<unknown[], Neighbour>(
        `SELECT rowid AS id, -bm25(${this.#table}, ${BREADCRUMB_WEIGHT}, 1) AS score FROM ${this.#table}
         WHERE ${this.#table} MATCH ? ${among} ORDER BY score DESC, rowid LIMIT ?`,
      )
      .all(expression, ...(only ? [JSON.stringify([...only])] : []), limit);
    return { ceiling, neighbours };
  }

  /** The scores of given passages, in their order; 0 for one that has none of the terms. */
  scores(query: LexicalQuery, passages: readonly number[]): number[] {
    const { expression } = this.#expression(query);
    if (expression === undefined) return passages.map(() => 0);
    const rows = this.#database
      .prepare<[string, string], Neighbour>(
        `SELECT rowid AS id, -bm25(${this.#table}, ${BREADCRUMB_WEIGHT}, 1) AS score FROM ${this.#table}
         WHERE ${this.#table} MATCH ? AND +rowid IN (SELECT value FROM json_each(?))`,
      )
      .all(expression, JSON.stringify(passages));
    const scores = new Map(rows.map(({ id, score }) => [id, score]));
    return passages.map((passage) => scores.get(passage) ?? 0);
  }

  /** What FTS5 is asked for, every term quoted; nothing where no term tells passages apart. */
  #expression({ terms, phrases }: LexicalQuery): { expression: string | undefined; ceiling: number } {
    const count = this.#database.prepare<[], number>(`SELECT count(*) FROM ${this.#table}_docsize`).pluck().get() ?? 0;
    const known = terms
      .map((term) => ({ term: quoted(term), frequency: this.#frequency(quoted(term)) }))
      .sort((a, b) => a.frequency - b.frequency);
    // Terms that stand nowhere count here: who asks for what the files do not speak of is not answered by the rest.
    const ceiling = known.reduce((sum, { frequency }) => sum + weight(frequency, count) * (K1 + 1), 0);
    const asked: string[] = [];
    let postings = 0;
    for (const { term, frequency } of known) {
      postings += frequency;
      if (postings > MOST_POSTINGS && asked.length > 0) break;
      // A term in most passages tells them apart in nothing.
      if (frequency > 0 && frequency <= Math.max(count / 2, 1)) asked.push(term);
    }
    const required = phrases.map(quotedPhrase).filter((phrase) => this.#frequency(phrase) > 0);
    const parts = [...required, ...(asked.length > 0 ? [`(${asked.join(' OR ')})`] : [])];
    return { expression: parts.length > 0 ? parts.join(' AND ') : undefined, ceiling };
  }

  /** In how many passages a term or phrase stands, counted up to the most that would be read. */
  #frequency(expression: string): number {
    return (
      this.#database
        .prepare<[string, number], number>(
          `SELECT count(*) FROM (SELECT 1 FROM ${this.#table} WHERE ${this.#table} MATCH ? LIMIT ?)`,
        )
        .pluck()
        .get(expression, MOST_POSTINGS + 1) ?? 0
    );
  }
}

/** Inverse document frequency as FTS5 has it. */
function weight(frequency: number, count: number): number {
  return Math.max(1e-6, Math.log((count - frequency + 0.5) / (frequency + 0.5)));
}

function quoted(term: string): string {
  return `"${term.replaceAll('"', '""')}"`;
}

function quotedPhrase(terms: readonly string[]): string {
  return quoted(terms.join(' '));
}
